import { Alert, Box, Button, Group, Stack, Tabs, Text, Title } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { ApiError } from '../../api/errors.ts';
import { isAdministrator } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import {
  changeWebhook,
  deliveriesQuery,
  removeWebhook,
  runQueue,
  sendTest,
  type Webhook,
  webhookQuery,
} from '../../api/webhooks.ts';
import { usePageText } from '../../language/page-text.ts';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';
import { Hint } from '../../parts/hint.tsx';
import { useSearchState } from '../../parts/list/search-state.ts';
import { ErrorDetails, LoadError } from '../../parts/page/load-error.tsx';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageSkeleton } from '../../parts/page/page-skeleton.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { Ago } from '../../parts/time.tsx';
import { DeliveriesTab } from './deliveries/deliveries-tab.tsx';
import { EventExample } from './events/event-example.tsx';
import { SendLatestButton } from './events/send-latest-button.tsx';
import { VerifySnippet } from './events/verify-snippet.tsx';
import { HealthBadge } from './health-badge.tsx';
import { LastSuccess } from './last-success.tsx';
import { OverviewTab } from './overview-tab.tsx';
import { ReplayTab } from './replay-tab.tsx';
import { WebhookUser } from './settings/webhook-user.tsx';
import { healthOf, nameOf } from './webhook-health.ts';
import { type WebhookState, webhookReaders } from './webhook-state.ts';

export function WebhookPage() {
  return isAdministrator(useUser()) ? <FoundWebhook /> : <NotFound />;
}

function FoundWebhook() {
  const t = usePageText();
  const { id } = useParams({ from: '/webhooks/$id' });
  const found = useQuery(webhookQuery(id));
  if (found.data !== undefined) return <LoadedWebhook key={id} webhook={found.data} />;
  if (found.error === null) return <PageSkeleton />;
  if (found.error instanceof ApiError && found.error.status === 404) return <NotFound />;
  return (
    <Stack p="md">
      <PageTitle>{t('titles.webhooks')}</PageTitle>
      <LoadError error={found.error} onRetry={() => void found.refetch()} />
    </Stack>
  );
}

function LoadedWebhook({ webhook }: { readonly webhook: Webhook }) {
  const t = usePageText();
  const [state, change] = useSearchState<WebhookState>(webhookReaders);
  return (
    <Stack p="md">
      <Group justify="space-between" align="flex-start">
        <Box flex="1 1 20rem">
          <Group gap="sm">
            <PageTitle>{nameOf(webhook)}</PageTitle>
            <PageHealth webhook={webhook} />
          </Group>
          <Text c="dimmed" className="field-value">
            {nameOf(webhook) === webhook.event ? null : `${webhook.event} · `}
            {webhook.url}
          </Text>
          <WebhookUser webhook={webhook} />
          <History webhook={webhook} />
        </Box>
        <Actions webhook={webhook} />
      </Group>
      {webhook.inactiveReason ? (
        <Alert color="yellow">{t('webhooks.inactive', { reason: webhook.inactiveReason })}</Alert>
      ) : null}
      <Tabs
        value={state.tab ?? 'overview'}
        onChange={(tab) =>
          change({ tab: tab as WebhookState['tab'], state: undefined, account: undefined })
        }
      >
        <Tabs.List>
          <Tabs.Tab value="overview">{t('webhooks.tabOverview')}</Tabs.Tab>
          <Tabs.Tab value="deliveries">{t('webhooks.tabDeliveries')}</Tabs.Tab>
          <Tabs.Tab value="replay">{t('webhooks.tabReplay')}</Tabs.Tab>
          <Tabs.Tab value="verify">{t('webhooks.tabVerify')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="overview">
          <OverviewTab
            webhook={webhook}
            isLedgerShown={state.account === 'shown'}
            onShowLedger={() => change({ account: 'shown' })}
          />
        </Tabs.Panel>
        <Tabs.Panel value="deliveries">
          <DeliveriesTab id={webhook.id} state={state} onChange={change} />
        </Tabs.Panel>
        <Tabs.Panel value="replay">
          <ReplayTab webhook={webhook} />
        </Tabs.Panel>
        <Tabs.Panel value="verify">
          <VerifyTab webhook={webhook} />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}

const shownDeliveries = 20;

function PageHealth({ webhook }: { readonly webhook: Webhook }) {
  const { data } = useQuery(deliveriesQuery(webhook.id, { maxSize: shownDeliveries }));
  return data === undefined ? null : <HealthBadge health={healthOf(webhook, data)} />;
}

/** The last success, and when the webhook was created by whom. */
function History({ webhook }: { readonly webhook: Webhook }) {
  const t = usePageText();
  const { data } = useQuery(deliveriesQuery(webhook.id, { maxSize: shownDeliveries }));
  const { createdAt, createdByName } = webhook;
  return (
    <Hint>
      {t('webhooks.lastSuccess')}: <LastSuccess id={webhook.id} recent={data} />
      {createdAt ? (
        <>
          {' · '}
          {t('webhooks.createdAt')} <Ago value={createdAt} />
          {createdByName ? ` (${createdByName})` : null}
        </>
      ) : null}
    </Hint>
  );
}

function Actions({ webhook }: { readonly webhook: Webhook }) {
  const t = usePageText();
  const { user } = useUser();
  const { id } = webhook;
  const testing = useAction(() => sendTest(id, { latest: false }), t('webhooks.tested'));
  const running = useAction(runQueue, t('webhooks.queueRun'));
  const isActive = webhook.isActive === true;
  const switching = useAction(
    () => changeWebhook(id, { isActive: !isActive }),
    t('webhooks.changed'),
  );
  return (
    <Group gap="xs">
      <Button loading={testing.isPending} onClick={() => testing.mutate()}>
        {t('webhooks.test')}
      </Button>
      <SendLatestButton id={id} />
      {user.isAdmin ? (
        <Button variant="default" loading={running.isPending} onClick={() => running.mutate()}>
          {t('webhooks.runQueue')}
        </Button>
      ) : null}
      <Button variant="default" loading={switching.isPending} onClick={() => switching.mutate()}>
        {t(isActive ? 'webhooks.pause' : 'webhooks.activate')}
      </Button>
      <DeleteWebhookButton webhook={webhook} />
    </Group>
  );
}

/** A mutation whose only result is a success or error notification. */
function useAction(act: () => Promise<unknown>, done: string) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: act,
    onSuccess: () => {
      notifications.show({ message: done });
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
    },
    onError: (error) =>
      notifications.show({ color: 'red', message: <ErrorDetails error={error} /> }),
  });
}

/** Requires the user to type the event, because waiting deliveries are discarded with the webhook. */
function DeleteWebhookButton({ webhook }: { readonly webhook: Webhook }) {
  const t = usePageText();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const leave = async (): Promise<void> => {
    await navigate({ to: '/webhooks' });
    void queries.invalidateQueries({ queryKey: ['webhooks'] });
  };
  return (
    <ConfirmByName
      label={t('webhooks.delete')}
      title={t('webhooks.deleteTitle')}
      text={t('webhooks.deleteText')}
      name={webhook.event ?? ''}
      act={() => removeWebhook(webhook.id)}
      onDone={() => void leave()}
    />
  );
}

/** What the requests of the webhook look like, and how a receiver verifies their signature. */
function VerifyTab({ webhook }: { readonly webhook: Webhook }) {
  const t = usePageText();
  const { event, userId, payloadFormat } = webhook;
  const search = {
    event: event ?? '',
    userId: userId ?? null,
    payloadFormat: payloadFormat ?? 'records',
  };
  return (
    <Stack maw={860}>
      <Panel title={t('webhooks.request')}>
        <EventExample search={search} />
      </Panel>
      <Title>{t('webhooks.verifySignature')}</Title>
      <Text size="sm">{t('webhooks.verifyText')}</Text>
      <VerifySnippet />
    </Stack>
  );
}
