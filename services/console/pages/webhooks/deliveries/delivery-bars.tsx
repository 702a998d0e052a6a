import type { Delivery } from '../../../api/webhooks.ts';
import { stateColors } from './state-badge.tsx';

const gap = 2;

/**
 * Batches as bars, oldest first, in the colours of their states. Bars of delivered batches are lower. If there is too
 * little room, the bars are narrower. The caller shows the same data as text.
 */
export function DeliveryBars(props: {
  /** Newest first. */
  readonly deliveries: readonly Delivery[];
  /** In pixels. */
  readonly barWidth: number;
  readonly height: number;
}) {
  const { deliveries, barWidth, height } = props;
  const width = deliveries.length * (barWidth + gap);
  return (
    <svg
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      width={width}
      height={height}
      style={{ maxWidth: '100%', flexShrink: 0 }}
      aria-hidden="true"
    >
      {deliveries.toReversed().map(({ id, state }, index) => {
        const y = state === 'delivered' ? height / 5 : 0;
        return (
          <rect
            key={id}
            x={index * (barWidth + gap)}
            y={y}
            width={barWidth}
            height={height - y}
            fill={stateColors[state]}
          />
        );
      })}
    </svg>
  );
}
