import { Button, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { AnyRecord } from '../../api/records.ts';
import { auditQuery, keyUsesQuery } from '../../api/system.ts';
import { webhooksQuery } from '../../api/webhooks.ts';
import { usePageText } from '../../language/page-text.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { Facts } from '../../parts/facts.tsx';
import { Hint } from '../../parts/hint.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Ago } from '../../parts/time.tsx';
import { AuditTable } from '../system/audit-table.tsx';
import { EventCatalogue } from '../webhooks/events/event-catalogue.tsx';
import { CreateWebhookDialog } from '../webhooks/settings/create-webhook-dialog.tsx';
import { WebhookTable } from '../webhooks/webhook-table.tsx';

interface Props {
  readonly user: AnyRecord;
}

/**
 * The activity of an integration's API user: the last use of its key, its webhooks, and its entries in the audit log.
 */
export function IntegrationTab({ user }: Props) {
  const t = usePageText();
  return (
    <Stack>
      <Access user={user} />
      <Webhooks user={user} />
      <Panel title={t('webhooks.catalogue')}>
        <EventCatalogue userId={user.id} />
      </Panel>
      <Audit user={user} />
    </Stack>
  );
}

function Access({ user }: Props) {
  const t = usePageText();
  return (
    <Panel title={t('people.access')}>
      <Facts
        label={t('people.access')}
        facts={[
          [t('people.state'), t(user['isActive'] === true ? 'people.active' : 'people.inactive')],
          [
            t('people.authMethod'),
            t(user['authMethod'] === 'Hmac' ? 'people.methodHmac' : 'people.methodKey'),
          ],
          [t('people.keyUsed'), <LastUse key="keyUsed" userId={user.id} />],
        ]}
      />
    </Panel>
  );
}

function LastUse({ userId }: { readonly userId: string }) {
  const t = usePageText();
  const found = useQuery(keyUsesQuery);
  if (found.data === undefined) return <Pending query={found} height={20} />;
  const usedAt = found.data.get(userId) ?? null;
  return usedAt === null ? t('people.keyNeverUsed') : <Ago value={usedAt} />;
}

function Webhooks({ user }: Props) {
  const t = usePageText();
  const [isCreating, setCreating] = useState(false);
  const found = useQuery(webhooksQuery);
  const own = found.data?.filter(({ userId }) => userId === user.id);
  return (
    <Panel
      title={t('titles.webhooks')}
      actions={<Button onClick={() => setCreating(true)}>{t('webhooks.new')}</Button>}
    >
      {own === undefined ? (
        <Pending query={found} height={120} />
      ) : own.length === 0 ? (
        <Text size="sm">{t('people.noWebhooks')}</Text>
      ) : (
        <Stack gap="xs">
          <Hint>{t('people.webhooksText')}</Hint>
          <WebhookTable webhooks={own} isTestable />
        </Stack>
      )}
      <CreateWebhookDialog
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        user={{ id: user.id, name: String(user['userName']) }}
      />
    </Panel>
  );
}

const shownEntries = 10;

function Audit({ user }: Props) {
  const t = usePageText();
  const found = useInfiniteQuery(auditQuery({ user: user.id }));
  const entries = found.data?.pages[0]?.list.slice(0, shownEntries);
  return (
    <Panel
      title={t('people.audit')}
      actions={
        <ButtonLink variant="default" to="/system" search={{ tab: 'audit', user: user.id }}>
          {t('people.allAudit')}
        </ButtonLink>
      }
    >
      {entries === undefined ? (
        <Pending query={found} height={160} />
      ) : entries.length === 0 ? (
        <Text size="sm">{t('people.noAudit')}</Text>
      ) : (
        <AuditTable entries={entries} />
      )}
    </Panel>
  );
}
