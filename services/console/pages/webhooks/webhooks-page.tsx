import { Badge, Button, Group, Skeleton, Stack, Text } from '@mantine/core';
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
import { stateColors } from './deliveries/state-badge.tsx';
import { CreateWebhookDialog } from './settings/create-webhook-dialog.tsx';

interface State {
  readonly mode: 'new' | undefined;
}

const readers = { mode: (raw: unknown) => (raw === 'new' ? ('new' as const) : undefined) };

export function WebhooksPage() {
  return isAdministrator(useUser()) ? <Webhooks /> : <NotFound />;
}

function Webhooks() {
  const t = useText();
  const [state, change] = useSearchState<State>(readers);
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
    { label: t('webhooks.event'), show: (webhook) => <EventLink {...webhook} /> },
    { label: t('webhooks.state'), show: (webhook) => <ActiveBadge webhook={webhook} /> },
    { label: t('webhooks.recent'), show: ({ id }) => <Recent id={id} /> },
    { label: t('webhooks.url'), show: ({ url }) => <span className="field-value">{url}</span> },
  ];
  return (
    <DataTable
      label={t('webhooks.list')}
      columns={columns}
      rows={found.data}
      keyOf={({ id }) => id}
      minWidth={720}
    />
  );
}

function EventLink({ id, event }: Webhook) {
  return (
    <TextLink inherit to="/webhooks/$id" params={{ id }}>
      {event}
    </TextLink>
  );
}

const shownDeliveries = 20;

function Recent({ id }: { readonly id: string }) {
  const { data } = useQuery(deliveriesQuery(id, { maxSize: shownDeliveries }));
  return data === undefined ? <Skeleton h={16} /> : <DeliveryBars deliveries={data} />;
}

function ActiveBadge({ webhook }: { readonly webhook: Webhook }) {
  const t = useText();
  const isActive = webhook.isActive === true && !webhook.inactiveReason;
  return (
    <Badge color={isActive ? 'green' : 'gray'}>
      {t(isActive ? 'webhooks.active' : 'webhooks.paused')}
    </Badge>
  );
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
