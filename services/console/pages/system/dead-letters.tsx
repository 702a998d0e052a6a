import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { Status } from '../../api/system.ts';
import { webhooksQuery } from '../../api/webhooks.ts';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { Panel } from '../../parts/page/panel.tsx';

/** The number of dead letters by webhook. */
export function DeadLetters({ counts }: { readonly counts: Status['deadLetters'] }) {
  const t = useText();
  const format = useFormat();
  const { data: webhooks = [] } = useQuery(webhooksQuery);
  const find = (id: string) => webhooks.find((webhook) => webhook.id === id);
  return (
    <Panel title={t('system.deadLetters')}>
      {counts.length === 0 ? (
        <Text size="sm">{t('system.noDeadLetters')}</Text>
      ) : (
        <DataTable
          label={t('system.deadLetters')}
          rows={counts}
          keyOf={({ webhookId }) => webhookId}
          columns={[
            {
              name: 'webhook',
              label: t('system.webhook'),
              show: ({ webhookId: id }) => (
                <Anchor
                  inherit
                  renderRoot={(rest) => (
                    <Link
                      to="/webhooks/$id"
                      params={{ id }}
                      search={{ tab: 'deliveries', state: 'dead' }}
                      {...rest}
                    />
                  )}
                >
                  {find(id)?.event ?? id}
                </Anchor>
              ),
            },
            {
              name: 'url',
              label: t('webhooks.url'),
              show: ({ webhookId }) => find(webhookId)?.url ?? '–',
            },
            {
              name: 'batches',
              label: t('system.batches'),
              show: ({ batches }) => format.number(batches),
            },
          ]}
        />
      )}
    </Panel>
  );
}
