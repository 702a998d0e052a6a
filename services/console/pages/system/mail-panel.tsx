import { Badge, Button, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type MailQueue, mailQuery, sendTestEmail } from '../../api/system.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { usePageText } from '../../language/page-text.ts';
import { Hint } from '../../parts/hint.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { LoadError } from '../../parts/page/load-error.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { Time } from '../../parts/time.tsx';

/** The e-mails of the last day, without their contents. */
export function MailPanel() {
  const t = usePageText();
  const queries = useQueryClient();
  const { data, error } = useQuery(mailQuery);
  const testing = useMutation({
    mutationFn: sendTestEmail,
    onSuccess: async () => {
      notifications.show({ message: t('system.testQueued') });
      await queries.invalidateQueries({ queryKey: mailQuery.queryKey });
    },
  });
  if (data === undefined) return error === null ? null : <LoadError error={error} />;
  return (
    <Panel
      title={t('system.mail')}
      actions={
        data.isOn ? (
          <Button
            variant="default"
            size="xs"
            loading={testing.isPending}
            onClick={() => testing.mutate()}
          >
            {t('system.sendTest')}
          </Button>
        ) : null
      }
    >
      <Stack>
        {testing.error === null ? null : <LoadError error={testing.error} />}
        {data.isOn ? (
          <Text size="sm">
            {t('system.mailCounts', {
              queued: data.queued,
              sent: data.sent,
              failed: data.failed,
            })}
          </Text>
        ) : (
          <Hint>{t('system.mailOff')}</Hint>
        )}
        <Emails list={data.list} />
      </Stack>
    </Panel>
  );
}

type Email = MailQueue['list'][number];

const kinds = {
  passwordReset: 'signIn.newPassword',
  invitation: 'signIn.newPassword',
  newPassword: 'signIn.newPassword',
  addressChanged: 'system.mailAddressChanged',
  finding: 'shell.verdictFault',
  optIn: 'system.mailOptIn',
  reminder: 'system.mailReminder',
  test: 'system.mailTest',
} as const satisfies Readonly<Record<Email['kind'], string>>;

const states = {
  queued: ['system.waiting', 'yellow'],
  sent: ['system.mailSent', 'green'],
  failed: ['system.mailFailed', 'red'],
} as const satisfies Readonly<Record<Email['status'], readonly [string, string]>>;

function Emails({ list }: { readonly list: readonly Email[] }) {
  const t = usePageText();
  if (list.length === 0) return null;
  return (
    <DataTable
      label={t('system.mail')}
      rows={list}
      keyOf={({ id }) => id}
      minWidth={720}
      columns={[
        { label: t('system.kind'), show: ({ kind }) => t(kinds[kind]) },
        {
          label: t('signIn.userName'),
          show: ({ userId, userName }) =>
            userId === null ? (
              t('system.mailVisitor')
            ) : (
              <RecordLink entity="User" id={userId} name={userName ?? userId} />
            ),
        },
        { label: t('system.state'), show: (email) => <EmailState email={email} /> },
        { label: t('system.attemptCount'), show: ({ attempts }) => attempts },
        { label: t('system.queuedAt'), show: ({ queuedAt }) => <Time value={queuedAt} /> },
        {
          label: t('system.nextAttempt'),
          show: ({ nextAttemptAt }) =>
            nextAttemptAt === null ? '–' : <Time value={nextAttemptAt} />,
        },
        { label: t('system.lastError'), show: ({ lastError }) => lastError ?? '–' },
      ]}
    />
  );
}

function EmailState({ email }: { readonly email: Email }) {
  const t = usePageText();
  const [text, color] = states[email.status];
  return <Badge color={color}>{t(text)}</Badge>;
}
