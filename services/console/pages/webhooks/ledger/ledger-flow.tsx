import { useElementSize } from '@mantine/hooks';
import type { Ledger } from '../../../api/webhooks.ts';
import { useFormat } from '../../../language/format.ts';
import { usePageText } from '../../../language/page-text.ts';

import { stateColors } from '../deliveries/state-badge.tsx';

const maxWidth = 720;
/** Width in pixels below which only the numbers fit. */
const minWidthForLabels = 520;
const height = 190;
const top = 24;
const maxHeight = 120;
const minHeight = 3;
const gap = 12;
const columns = 3;
const bar = 10;
const labelAt = bar + 6;
const neutral = 'var(--mantine-color-gray-6)';
const opacity = 0.35;

interface Share {
  readonly label: string;
  readonly events: number;
  readonly color: string;
}

interface Block extends Share {
  readonly from: number;
  readonly size: number;
}

/** A flow diagram of events from matched to enqueued to their outcome, with heights by number. The sentence and table below have the same data. */
export function LedgerFlow(props: { readonly ledger: Ledger; readonly dropped: number }) {
  const t = usePageText();
  const { ref, width: availableWidth } = useElementSize();
  const width = Math.min(maxWidth, availableWidth);
  const [secondX, thirdX] = [width / columns, (2 * width) / columns];
  const { matched, enqueued, waitingInLog, replayed, delivered, dead, waiting } = props.ledger;
  const all = enqueued + waitingInLog + replayed;
  if (all === 0) return null;
  const scale = maxHeight / all;
  const enqueuedShares = [
    { label: t('ledger.enqueued'), events: enqueued, color: neutral },
    { label: t('ledger.replayed'), events: replayed, color: neutral },
    { label: t('ledger.log'), events: waitingInLog, color: stateColors.waiting },
  ];
  const ended = [
    { label: t('webhooks.stateDelivered'), events: delivered, color: stateColors.delivered },
    { label: t('webhooks.stateDead'), events: dead, color: stateColors.dead },
    { label: t('ledger.anyDropped'), events: props.dropped, color: stateColors.dropped },
    { label: t('webhooks.stateWaiting'), events: waiting, color: stateColors.waiting },
  ];
  const first = stacked(
    [{ label: t('ledger.matched'), events: matched ?? 0, color: neutral }],
    scale,
  );
  const second = stacked(enqueuedShares, scale);
  const third = stacked(ended, scale);
  const ofMatch = second.filter(({ label }) => label !== t('ledger.replayed'));
  const ofBatches = second.filter(({ label }) => label !== t('ledger.log'));
  const isWide = width >= minWidthForLabels;
  return (
    <div ref={ref}>
      <svg width={width} height={height} aria-hidden="true">
        <Bands from={first} to={ofMatch} x={0} until={secondX} />
        <Bands from={ofBatches} to={third} x={secondX} until={thirdX} />
        <Bars blocks={first} x={0} isWide={isWide} />
        <Bars blocks={second} x={secondX} isWide={isWide} />
        <Bars blocks={third} x={thirdX} isWide={isWide} />
      </svg>
    </div>
  );
}

/** Stacks the non-empty shares vertically. */
function stacked(shares: readonly Share[], scale: number): readonly Block[] {
  let from = top;
  return shares.flatMap((share) => {
    if (share.events === 0) return [];
    const size = Math.max(minHeight, share.events * scale);
    const block = { ...share, from, size };
    from += size + gap;
    return [block];
  });
}

function Bars(props: {
  readonly blocks: readonly Block[];
  readonly x: number;
  readonly isWide: boolean;
}) {
  const { blocks, x, isWide } = props;
  const { number } = useFormat();
  return blocks.map(({ label, events, color, from, size }) => (
    <g key={label}>
      <rect x={x} y={from} width={bar} height={size} fill={color} />
      <text x={x + labelAt} y={from + 11} fontSize={13} fill="var(--mantine-color-text)">
        {isWide ? `${label}: ${number(events)}` : number(events)}
      </text>
    </g>
  ));
}

/** Draws the bands that connect the blocks of one column with those of the next, in order. */
function Bands(props: {
  readonly from: readonly Block[];
  readonly to: readonly Block[];
  readonly x: number;
  readonly until: number;
}) {
  const [start, end] = [props.x + bar, props.until];
  const bend = (start + end) / 2;
  let left = props.from[0]?.from ?? top;
  return props.to.map(({ label, color, from, size }) => {
    const [upper, lower] = [left, left + size];
    left = lower;
    return (
      <path
        key={label}
        fill={color}
        opacity={opacity}
        d={`M${start} ${upper} C${bend} ${upper} ${bend} ${from} ${end} ${from} L${end} ${from + size} C${bend} ${from + size} ${bend} ${lower} ${start} ${lower} Z`}
      />
    );
  });
}
