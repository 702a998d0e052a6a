import { Group, Text } from '@mantine/core';
import type { Delivery } from '../../api/webhooks.ts';
import { useText } from '../../language/language.tsx';
import { stateColors } from './state-colors.ts';

const height = 20;
const width = 4;
const gap = 2;

/** The newest batches as bars, oldest first, with a text alternative. */
export function DeliveryBars({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const t = useText();
  if (deliveries.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('webhooks.never')}
      </Text>
    );
  }
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length;
  const answer = deliveries.find(({ lastAttemptAt }) => lastAttemptAt !== null);
  const last = answer === undefined ? '' : ` · ${answer.lastStatus ?? answer.lastReason ?? ''}`;
  return (
    <Group gap="xs" wrap="nowrap">
      <svg width={deliveries.length * (width + gap)} height={height} aria-hidden="true">
        {deliveries.toReversed().map(({ id, state }, index) => (
          <rect
            key={id}
            x={index * (width + gap)}
            y={state === 'delivered' ? 4 : 0}
            width={width}
            height={state === 'delivered' ? height - 4 : height}
            fill={stateColors[state]}
          />
        ))}
      </svg>
      <Text size="sm" title={t('webhooks.success', { count: deliveries.length })}>
        {delivered}/{deliveries.length}
        {last}
      </Text>
    </Group>
  );
}
