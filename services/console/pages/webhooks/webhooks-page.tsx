import { Anchor, Badge, Button, Group, Skeleton, Stack, Table } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { deliveriesQuery, type Webhook, webhooksQuery } from '../../api/webhooks.ts';
import { useText } from '../../language/language.tsx';
import { Empty } from '../../parts/empty.tsx';
import { LoadError } from '../../parts/load-error.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { CreateWebhookDialog } from './create-webhook-dialog.tsx';
import { DeliveryBars } from './delivery-bars.tsx';

interface State {
  readonly mode: 'new' | undefined;
}

const readers = { mode: (raw: unknown) => (raw === 'new' ? ('new' as const) : undefined) };

export function WebhooksPage() {
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
  if (found.data === undefined) {
    if (found.error === null) return <Skeleton h={160} />;
    return <LoadError error={found.error} onRetry={() => void found.refetch()} />;
  }
  if (found.data.length === 0) {
    return <Empty title={t('webhooks.nothing')} text={t('webhooks.nothingText')} />;
  }
  return (
    <Table.ScrollContainer minWidth={720}>
      <Table withTableBorder aria-label={t('webhooks.list')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('webhooks.event')}</Table.Th>
            <Table.Th scope="col">{t('webhooks.url')}</Table.Th>
            <Table.Th scope="col">{t('webhooks.state')}</Table.Th>
            <Table.Th scope="col">{t('webhooks.recent')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {found.data.map((webhook) => (
            <Row key={webhook.id} webhook={webhook} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}

const shownDeliveries = 20;

function Row({ webhook }: { readonly webhook: Webhook }) {
  const { id, event, url } = webhook;
  const { data } = useQuery(deliveriesQuery(id, { maxSize: shownDeliveries }));
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <Anchor
          inherit
          renderRoot={(props) => <Link to="/webhooks/$id" params={{ id }} {...props} />}
        >
          {event}
        </Anchor>
      </Table.Th>
      <Table.Td className="field-value">{url}</Table.Td>
      <Table.Td>
        <ActiveBadge webhook={webhook} />
      </Table.Td>
      <Table.Td>
        {data === undefined ? <Skeleton h={16} /> : <DeliveryBars deliveries={data} />}
      </Table.Td>
    </Table.Tr>
  );
}

export function ActiveBadge({ webhook }: { readonly webhook: Webhook }) {
  const t = useText();
  const isActive = webhook.isActive === true && !webhook.inactiveReason;
  return (
    <Badge variant="dot" color={isActive ? 'green' : 'gray'} tt="none" radius="sm">
      {t(isActive ? 'webhooks.active' : 'webhooks.paused')}
    </Badge>
  );
}
