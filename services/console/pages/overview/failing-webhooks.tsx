import { Text } from '@mantine/core';
import type { Series } from '../../api/system.ts';
import { useFormat } from '../../language/format.ts';
import { usePageText } from '../../language/page-text.ts';
import { TextLink } from '../../parts/link.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Panel } from '../../parts/page/panel.tsx';

/** The webhooks with the most failed attempts, as links to their deliveries. */
export function FailingWebhooks({ webhooks }: { readonly webhooks: Series['failingWebhooks'] }) {
  const t = usePageText();
  const format = useFormat();
  const title = t('overview.failing');
  return (
    <Panel title={title}>
      <DataTable
        empty={<Text size="sm">{t('overview.noneFailing')}</Text>}
        label={title}
        rows={webhooks}
        keyOf={({ webhookId }) => webhookId}
        columns={[
          {
            label: t('system.webhook'),
            show: ({ webhookId, event }) => (
              <ToDeliveries id={webhookId}>{event ?? webhookId}</ToDeliveries>
            ),
          },
          { label: t('webhooks.url'), show: ({ url }) => url ?? '–' },
          {
            label: t('overview.failedAttempts'),
            show: ({ webhookId, failed }) => (
              <ToDeliveries id={webhookId}>{format.number(failed)}</ToDeliveries>
            ),
          },
        ]}
      />
    </Panel>
  );
}

function ToDeliveries({ id, children }: { readonly id: string; readonly children: string }) {
  return (
    <TextLink inherit to="/webhooks/$id" params={{ id }} search={{ tab: 'deliveries' }}>
      {children}
    </TextLink>
  );
}
