import { Button, Group, Skeleton, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { isAdministrator } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { type Delivery, deliveriesQuery, type Webhook, webhooksQuery } from '../../api/webhooks.ts';
import { useText } from '../../language/language.tsx';
import { Hint } from '../../parts/hint.tsx';
import { TextLink } from '../../parts/link.tsx';
import { type Column, DataTable } from '../../parts/list/data-table.tsx';
import { useSearchState } from '../../parts/list/search-state.ts';
import { Empty } from '../../parts/page/empty.tsx';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Ago } from '../../parts/time.tsx';
import { stateColors } from './deliveries/state-badge.tsx';
import { HealthBadge } from './health-badge.tsx';
import { LastSuccess } from './last-success.tsx';
import { CreateWebhookDialog } from './settings/create-webhook-dialog.tsx';
import { healthOf, nameOf } from './webhook-health.ts';

interface PageState {
  readonly mode: 'new' | undefined;
}

const readers = { mode: (raw: unknown) => (raw === 'new' ? ('new' as const) : undefined) };

export function WebhooksPage() {
  return isAdministrator(useUser()) ? <Webhooks /> : <NotFound />;
}

function Webhooks() {
  const t = useText();
  const [state, change] = useSearchState<PageState>(readers);
  return (
    <Stack p="md">
      <Group justify="space-between">
        <PageTitle>{t('webhooks.title')}</PageTitle>
        <Button
          leftSection={<IconPlus size={16} aria-hidden="true" />}
          onClick={() => change({ mode: 'new' })}
        >
          {t('webhooks.new')}
        </Button>
      </Group>
      <List />
      <CreateWebhookDialog
        isOpen={state.mode === 'new'}
        onClose={() => change({ mode: undefined }, { replace: true })}
      />
    </Stack>
  );
}

function List() {
  const t = useText();
  const found = useQuery(webhooksQuery);
  if (found.data === undefined) return <Pending query={found} height={160} />;
  if (found.data.length === 0) {
    return <Empty title={t('webhooks.nothing')} text={t('webhooks.nothingText')} />;
  }
  const columns: readonly Column<Webhook>[] = [
    { label: t('webhooks.name'), show: (webhook) => <NameLink webhook={webhook} /> },
    { label: t('webhooks.state'), show: (webhook) => <State webhook={webhook} /> },
    { label: t('webhooks.recent'), show: ({ id }) => <Recent id={id} /> },
    { label: t('webhooks.lastSuccess'), show: ({ id }) => <Success id={id} /> },
    { label: t('webhooks.user'), show: (webhook) => <Owner webhook={webhook} /> },
    { label: t('webhooks.url'), show: ({ url }) => <span className="field-value">{url}</span> },
    {
      label: t('webhooks.createdAt'),
      show: ({ createdAt }) => (createdAt ? <Ago value={createdAt} /> : null),
    },
  ];
  return (
    <DataTable
      label={t('webhooks.list')}
      columns={columns}
      rows={found.data}
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

function Owner({ webhook }: { readonly webhook: Webhook }) {
  const t = useText();
  return webhook.userId ? webhook.userName || webhook.userId : t('webhooks.noUser');
}

const shownDeliveries = 20;

function useRecent(id: string): readonly Delivery[] | undefined {
  return useQuery(deliveriesQuery(id, { maxSize: shownDeliveries })).data;
}

function Recent({ id }: { readonly id: string }) {
  const recent = useRecent(id);
  return recent === undefined ? <Skeleton h={16} /> : <DeliveryBars deliveries={recent} />;
}

function Success({ id }: { readonly id: string }) {
  return <LastSuccess id={id} recent={useRecent(id)} />;
}

function State({ webhook }: { readonly webhook: Webhook }) {
  const recent = useRecent(webhook.id);
  if (recent === undefined) return <Skeleton h={16} />;
  return <HealthBadge health={healthOf(webhook, recent)} />;
}

const height = 20;
const width = 4;
const gap = 2;

/** The newest batches as bars, oldest first, with a text alternative. */
function DeliveryBars({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const t = useText();
  if (deliveries.length === 0) {
    return <Hint>{t('webhooks.never')}</Hint>;
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
