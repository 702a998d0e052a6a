import { Group, Paper, Text, Title } from '@mantine/core';
import type { Delivery } from '../../api/webhooks.ts';
import { useText } from '../../language/language.tsx';
import { StateBadge, stateColors } from './state-badge.tsx';
import { deliveryStates } from './webhook-state.ts';

const width = 600;
const height = 80;
const minHeight = 3;

/** The outcomes of the listed batches as a bar, with widths by number. The sentence below has the same data. */
export function DeliveryFlow({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const t = useText();
  const count = (state: Delivery['state']) =>
    deliveries.filter((delivery) => delivery.state === state).length;
  const counts = {
    delivered: count('delivered'),
    waiting: count('waiting'),
    dead: count('dead'),
    dropped: count('dropped'),
  };
  const total = deliveries.length;
  return (
    <Paper withBorder p="md" component="section">
      <Title mb="sm">
        {total === 0 ? t('webhooks.deliveries') : t('webhooks.flow', { count: total })}
      </Title>
      {total === 0 ? null : <Flow counts={counts} total={total} />}
      <Text size="sm">
        {total === 0 ? t('webhooks.never') : t('webhooks.flowText', { ...counts, count: total })}
      </Text>
      <Group gap="xs" mt="xs">
        {deliveryStates.map((state) => (
          <StateBadge key={state} state={state} />
        ))}
      </Group>
    </Paper>
  );
}

function Flow(props: {
  readonly counts: Readonly<Record<Delivery['state'], number>>;
  readonly total: number;
}) {
  const shown = deliveryStates.filter((state) => props.counts[state] > 0);
  let from = 0;
  const bands = shown.map((state, index) => {
    const size = Math.max(minHeight, (props.counts[state] / props.total) * (height - 28));
    const start = { top: from, bottom: from + size };
    from += size;
    const shift = index * 8;
    return { state, start, end: { top: start.top + shift, bottom: start.bottom + shift } };
  });
  const bend = width / 2;
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      width="100%"
      height={height}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      {bands.map(({ state, start, end }) => (
        <path
          key={state}
          fill={stateColors[state]}
          opacity={0.75}
          d={`M0 ${start.top} C${bend} ${start.top} ${bend} ${end.top} ${width} ${end.top} L${width} ${end.bottom} C${bend} ${end.bottom} ${bend} ${start.bottom} 0 ${start.bottom} Z`}
        />
      ))}
    </svg>
  );
}
