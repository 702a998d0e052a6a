import { Code, Group, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { ApiError } from '../../../api/errors.ts';
import { type EventSearch, eventExampleQuery } from '../../../api/webhooks.ts';
import { usePageText } from '../../../language/page-text.ts';
import { Copy } from '../../../parts/copy/copy.tsx';
import { Hint } from '../../../parts/hint.tsx';
import { Pending } from '../../../parts/page/pending.tsx';
import { Ago } from '../../../parts/time.tsx';

/** The headers and the body of a request with an event, from real data if there is any. */
export function EventExample({ search }: { readonly search: EventSearch }) {
  const t = usePageText();
  const found = useQuery(eventExampleQuery(search));
  if (found.error instanceof ApiError && found.error.status === 403) {
    return <Text size="sm">{t('webhooks.exampleForbidden')}</Text>;
  }
  if (found.data === undefined) return <Pending query={found} height={200} />;
  const { event, isSample, occurredAt, body } = found.data;
  const text = JSON.stringify(body, null, 2);
  return (
    <Stack gap="xs">
      <Group justify="space-between">
        <div>
          <Title order={3} size="h6">
            {t('webhooks.body')}
          </Title>
          <Hint>
            {isSample || occurredAt === null ? (
              t('webhooks.exampleMadeUp')
            ) : (
              <>
                {t('webhooks.exampleLatest')} <Ago value={occurredAt} />
              </>
            )}
          </Hint>
        </div>
        <Copy value={text} label={event} size="xs" />
      </Group>
      <Code
        block
        mah={400}
        style={{ overflow: 'auto' }}
        // Scrollable with the keyboard.
        tabIndex={0}
        role="region"
        aria-label={t('webhooks.body')}
      >
        {text}
      </Code>
      <Headers event={event} />
    </Stack>
  );
}

const headers = [
  ['webhook-id', 'webhooks.headerId'],
  ['webhook-timestamp', 'webhooks.headerTimestamp'],
  ['webhook-signature', 'webhooks.headerSignature'],
  ['X-Signature', 'webhooks.headerXSignature'],
  ['X-Webhook-Id', 'webhooks.headerWebhook'],
  ['X-Webhook-Event', 'webhooks.headerEvent'],
  ['X-Webhook-Attempt', 'webhooks.headerAttempt'],
  ['X-Webhook-Replay', 'webhooks.headerReplay'],
] as const;

function Headers({ event }: { readonly event: string }) {
  const t = usePageText();
  return (
    <>
      <Title order={3} size="h6">
        {t('webhooks.requestHeaders')}
      </Title>
      <Table
        className="facts"
        aria-label={t('webhooks.requestHeaders')}
        fz="sm"
        verticalSpacing={4}
      >
        <Table.Tbody>
          {headers.map(([name, text]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" w="14rem">
                <Code>{name}</Code>
              </Table.Th>
              <Table.Td>
                <Text size="sm">{t(text, { event })}</Text>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </>
  );
}
