import { Button, Group, Stack } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useMetadata } from '../../api/metadata.ts';
import { useProblems } from '../../api/problems.ts';
import { useUser } from '../../api/session.ts';
import { changeWebhook, deliveriesQuery, type Webhook, webhookQuery } from '../../api/webhooks.ts';
import { usePageText } from '../../language/page-text.ts';
import { ErrorAlert } from '../../parts/page/error-alert.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { RecentDeliveries } from './deliveries/recent-deliveries.tsx';
import { LedgerPanel } from './ledger/ledger-panel.tsx';
import { SecretPanel } from './settings/secret-panel.tsx';
import { type Settings, WebhookSettings } from './settings/webhook-form.tsx';

const countedDeliveries = 200;

export function OverviewTab(props: {
  readonly webhook: Webhook;
  readonly isLedgerShown: boolean;
  readonly onShowLedger: () => void;
}) {
  const { webhook, isLedgerShown, onShowLedger } = props;
  const { user } = useUser();
  const recent = useQuery(deliveriesQuery(webhook.id, { maxSize: countedDeliveries }));
  return (
    <Stack>
      {recent.data === undefined ? (
        <Pending query={recent} height={120} />
      ) : (
        <RecentDeliveries deliveries={recent.data} />
      )}
      {user.isAdmin ? (
        <LedgerPanel id={webhook.id} isShown={isLedgerShown} onShow={onShowLedger} />
      ) : null}
      <SecretPanel webhook={webhook} />
      <SettingsPanel webhook={webhook} />
    </Stack>
  );
}

function SettingsPanel({ webhook }: { readonly webhook: Webhook }) {
  const t = usePageText();
  const queries = useQueryClient();
  const [changed, setChanged] = useState<Settings>({});
  // The inputs begin again after each save, because values of headers are not shown once they are stored.
  const [saves, setSaves] = useState(0);
  const saving = useMutation({
    mutationFn: () => changeWebhook(webhook.id, changed),
    onSuccess: (saved) => {
      queries.setQueryData(webhookQuery(webhook.id).queryKey, saved);
      setChanged({});
      setSaves((count) => count + 1);
      notifications.show({ message: t('webhooks.changed') });
      void queries.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  const problems = useProblems(useMetadata().get('Webhook'), saving.error);
  return (
    <Panel title={t('webhooks.settings')}>
      <Stack maw={640}>
        <ErrorAlert error={saving.error} />
        <WebhookSettings
          key={saves}
          headers={webhook.headers ?? {}}
          values={{ ...settingsOf(webhook), ...changed }}
          userName={webhook.userName}
          problems={problems}
          onChange={(values) => setChanged((before) => ({ ...before, ...values }))}
        />
        <Group>
          <Button
            disabled={Object.keys(changed).length === 0}
            loading={saving.isPending}
            onClick={() => saving.mutate()}
          >
            {t('parts.save')}
          </Button>
        </Group>
      </Stack>
    </Panel>
  );
}

function settingsOf(webhook: Webhook): Settings {
  return {
    url: webhook.url ?? '',
    userId: webhook.userId ?? null,
    payloadFormat: webhook.payloadFormat ?? 'records',
    xSignatureFormat: webhook.xSignatureFormat ?? 'base64',
    batchSize: webhook.batchSize ?? null,
    ordered: webhook.ordered ?? false,
    skipOwn: webhook.skipOwn ?? false,
    description: webhook.description ?? '',
  };
}
