import { Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Delivery, deliveriesQuery, type Webhook } from '../../api/webhooks.ts';
import { usePageText } from '../../language/page-text.ts';
import { Hint } from '../../parts/hint.tsx';
import { TextLink } from '../../parts/link.tsx';
import { type Column, DataTable } from '../../parts/list/data-table.tsx';
import { Ago } from '../../parts/time.tsx';
import { DeliveryBars } from './deliveries/delivery-bars.tsx';
import { SendLatestButton } from './events/send-latest-button.tsx';
import { HealthBadge } from './health-badge.tsx';
import { LastSuccess } from './last-success.tsx';
import { NoUserBadge } from './settings/webhook-user.tsx';
import { healthOf, nameOf } from './webhook-health.ts';

/** Webhooks with their state and newest deliveries, and with a test of each if they are testable. */
export function WebhookTable(props: {
  readonly webhooks: readonly Webhook[];
  readonly isTestable?: boolean;
}) {
  const t = usePageText();
  const { webhooks, isTestable = false } = props;
  const test: Column<Webhook> = {
    label: '',
    show: (webhook) => <SendLatestButton id={webhook.id} of={nameOf(webhook)} size="compact-sm" />,
  };
  const columns: readonly Column<Webhook>[] = [
    { label: t('webhooks.name'), show: (webhook) => <NameLink webhook={webhook} /> },
    { label: t('webhooks.state'), show: (webhook) => <State webhook={webhook} /> },
    { label: t('webhooks.recent'), show: ({ id }) => <Recent id={id} /> },
    { label: t('webhooks.lastSuccess'), show: ({ id }) => <Success id={id} /> },
    { label: t('webhooks.user'), show: (webhook) => <Owner webhook={webhook} /> },
    { label: t('webhooks.url'), show: ({ url }) => <Address url={url ?? ''} /> },
    {
      label: t('webhooks.createdAt'),
      show: ({ createdAt }) => (createdAt ? <Ago value={createdAt} /> : null),
    },
    ...(isTestable ? [test] : []),
  ];
  return (
    <DataTable
      label={t('webhooks.list')}
      columns={columns}
      rows={webhooks}
      keyOf={({ id }) => id}
      minWidth={1080}
    />
  );
}

function NameLink({ webhook }: { readonly webhook: Webhook }) {
  const { id, event } = webhook;
  const name = nameOf(webhook);
  return (
    <>
      <TextLink inherit to="/webhooks/$id" params={{ id }}>
        {name}
      </TextLink>
      {name === event ? null : <Hint>{event}</Hint>}
    </>
  );
}

function Address({ url }: { readonly url: string }) {
  return (
    <Text size="sm" maw={280} lineClamp={3} title={url} style={{ overflowWrap: 'anywhere' }}>
      {url}
    </Text>
  );
}

function Owner({ webhook }: { readonly webhook: Webhook }) {
  return webhook.userId ? webhook.userName || webhook.userId : <NoUserBadge />;
}

const shownDeliveries = 20;

function useRecent(id: string): readonly Delivery[] | undefined {
  return useQuery(deliveriesQuery(id, { maxSize: shownDeliveries })).data;
}

function Recent({ id }: { readonly id: string }) {
  const recent = useRecent(id);
  return recent === undefined ? <Skeleton h={16} /> : <RecentBars deliveries={recent} />;
}

function Success({ id }: { readonly id: string }) {
  return <LastSuccess id={id} recent={useRecent(id)} />;
}

function State({ webhook }: { readonly webhook: Webhook }) {
  const recent = useRecent(webhook.id);
  if (recent === undefined) return <Skeleton h={16} />;
  return <HealthBadge health={healthOf(webhook, recent)} />;
}

/** The newest batches as bars, with a text alternative. */
function RecentBars({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const t = usePageText();
  if (deliveries.length === 0) {
    return <Hint>{t('webhooks.never')}</Hint>;
  }
  const delivered = deliveries.filter(({ state }) => state === 'delivered').length;
  const count = deliveries.length;
  const answer = deliveries.find(({ lastAttemptAt }) => lastAttemptAt !== null);
  const last = answer?.lastStatus ?? answer?.lastReason;
  const counts = t('webhooks.success', { delivered, count });
  const response = last ? t('webhooks.lastAnswer', { response: `${last}` }) : undefined;
  return (
    <Group gap="xs" wrap="nowrap">
      <DeliveryBars deliveries={deliveries} barWidth={4} height={20} />
      <Text
        size="sm"
        title={[counts, ...(response === undefined ? [] : [response])].join(', ')}
        style={{ whiteSpace: 'nowrap' }}
      >
        {delivered}/{count}
        {last ? ` · ${last}` : ''}
      </Text>
    </Group>
  );
}
