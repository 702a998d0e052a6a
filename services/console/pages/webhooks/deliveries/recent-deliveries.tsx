import { Group, Text } from '@mantine/core';
import type { Delivery } from '../../../api/webhooks.ts';
import { usePageText } from '../../../language/page-text.ts';
import { Panel } from '../../../parts/page/panel.tsx';
import { deliveryStates } from '../webhook-state.ts';
import { DeliveryBars } from './delivery-bars.tsx';
import { StateBadge } from './state-badge.tsx';

/** The outcomes of the listed batches: a bar for each of them, and their numbers. */
export function RecentDeliveries({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const t = usePageText();
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
    <Panel title={total === 0 ? t('webhooks.deliveries') : t('webhooks.flow', { count: total })}>
      {total === 0 ? null : <DeliveryBars deliveries={deliveries} barWidth={14} height={56} />}
      <Text size="sm" mt="xs">
        {total === 0 ? t('webhooks.never') : t('webhooks.flowText', { ...counts, count: total })}
      </Text>
      <Group gap="xs" mt="xs">
        {deliveryStates.map((state) => (
          <StateBadge key={state} state={state} />
        ))}
      </Group>
    </Panel>
  );
}
