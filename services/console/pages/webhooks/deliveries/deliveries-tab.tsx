import { Button, Group, NativeSelect, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type Delivery, deliveriesQuery, redeliverBatch } from '../../../api/webhooks.ts';
import { useFormat } from '../../../language/format.ts';
import { usePageText } from '../../../language/page-text.ts';
import { Hint } from '../../../parts/hint.tsx';
import { type Column, DataTable } from '../../../parts/list/data-table.tsx';
import { Empty } from '../../../parts/page/empty.tsx';
import { ErrorDetails } from '../../../parts/page/load-error.tsx';
import { Pending } from '../../../parts/page/pending.tsx';
import { Time } from '../../../parts/time.tsx';
import { deliveryStates, type WebhookState } from '../webhook-state.ts';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { NextAttempt, usePeriod } from './next-attempt.tsx';
import { RedeliverDeadButton } from './redeliver-dead-button.tsx';
import { StateBadge } from './state-badge.tsx';

interface Props {
  readonly id: string;
  readonly state: Partial<WebhookState>;
  readonly onChange: (change: Partial<WebhookState>) => void;
}

const shownDeliveries = 100;

const names = {
  waiting: 'webhooks.stateWaiting',
  delivered: 'webhooks.stateDelivered',
  dead: 'webhooks.stateDead',
  dropped: 'webhooks.stateDropped',
} as const;

/** The deliveries of a webhook with their attempts, and actions to retry them. */
export function DeliveriesTab({ id, state, onChange }: Props) {
  const t = usePageText();
  const sending = useRedelivery(id);
  const found = useQuery(deliveriesQuery(id, { state: state.state, maxSize: shownDeliveries }));
  return (
    <Stack>
      <Group justify="space-between" align="flex-end">
        <NativeSelect
          label={t('webhooks.state')}
          value={state.state ?? ''}
          onChange={({ currentTarget: { value } }) =>
            onChange({ state: deliveryStates.find((one) => one === value) })
          }
          data={[
            { value: '', label: t('webhooks.all') },
            ...deliveryStates.map((value) => ({ value, label: t(names[value]) })),
          ]}
        />
        <RedeliverDeadButton id={id} />
      </Group>
      <QueueText />
      {found.data !== undefined ? (
        <DeliveryTable
          deliveries={found.data}
          isNarrowed={state.state !== undefined}
          onOpen={(delivery) => onChange({ delivery })}
          onSend={(batchId) => sending.mutate(batchId)}
        />
      ) : (
        <Pending query={found} height={200} />
      )}
      <DeliveryDialog
        id={id}
        deliveryId={state.delivery}
        onClose={() => onChange({ delivery: undefined })}
      />
    </Stack>
  );
}

/** Explains why a very recent change is not listed yet. */
function QueueText() {
  const t = usePageText();
  const format = useFormat();
  const intervalMs = usePeriod('WEBHOOK_QUEUE_INTERVAL');
  if (intervalMs === undefined) return null;
  const interval = format.duration(intervalMs / 1000);
  return <Hint>{t('webhooks.queueText', { interval })}</Hint>;
}

function DeliveryTable(props: {
  readonly deliveries: readonly Delivery[];
  readonly isNarrowed: boolean;
  readonly onOpen: (id: string) => void;
  readonly onSend: (id: string) => void;
}) {
  const t = usePageText();
  if (props.deliveries.length === 0) {
    return props.isNarrowed ? (
      <Empty title={t('webhooks.noneInState')} text={t('webhooks.noneInStateText')} />
    ) : (
      <Empty title={t('webhooks.noDeliveries')} text={t('webhooks.noDeliveriesText')} />
    );
  }
  const columns: readonly Column<Delivery>[] = [
    {
      label: t('webhooks.enqueued'),
      show: ({ enqueuedAt }) => <Time value={enqueuedAt} hasSeconds />,
    },
    {
      label: t('webhooks.state'),
      show: (delivery) => (
        <>
          <StateBadge state={delivery.state} />
          <NextAttempt delivery={delivery} />
        </>
      ),
    },
    { label: t('webhooks.events'), show: ({ events }) => events },
    { label: t('webhooks.attempts'), show: ({ attempts }) => attempts },
    {
      label: t('webhooks.lastResponse'),
      show: ({ lastStatus, lastReason }) => lastStatus ?? lastReason,
    },
    {
      label: '',
      show: ({ id, state }) => (
        <Actions id={id} state={state} onOpen={props.onOpen} onSend={props.onSend} />
      ),
    },
  ];
  return (
    <DataTable
      label={t('webhooks.deliveries')}
      columns={columns}
      rows={props.deliveries}
      keyOf={({ id }) => id}
      minWidth={720}
    />
  );
}

function Actions(props: {
  readonly id: string;
  readonly state: Delivery['state'];
  readonly onOpen: (id: string) => void;
  readonly onSend: (id: string) => void;
}) {
  const t = usePageText();
  const { id, state } = props;
  const isTest = id.startsWith('test_');
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={t('webhooks.details', { id: id.slice(-6) })}
        onClick={() => props.onOpen(id)}
      >
        {t('log.details')}
      </Button>
      {isTest ? null : (
        <Button size="compact-sm" variant="subtle" onClick={() => props.onSend(id)}>
          {t(state === 'delivered' ? 'webhooks.sendAgain' : 'webhooks.redeliver')}
        </Button>
      )}
    </Group>
  );
}

function useRedelivery(id: string) {
  const t = usePageText();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (batchId: string) => redeliverBatch(id, batchId),
    onSuccess: (count) => {
      notifications.show({ message: t('webhooks.redelivered', { count }) });
      void queries.invalidateQueries({ queryKey: ['webhooks', id] });
    },
    onError: (error) =>
      notifications.show({ color: 'red', message: <ErrorDetails error={error} /> }),
  });
}
