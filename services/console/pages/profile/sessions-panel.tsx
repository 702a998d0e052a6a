import { Badge, Button, Group, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError } from '../../api/errors.ts';
import { usePageText } from '../../language/page-text.ts';
import { type Column, DataTable } from '../../parts/list/data-table.tsx';
import { ErrorDetails } from '../../parts/page/load-error.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Ago, Time } from '../../parts/time.tsx';
import { deviceOf } from './device-of.ts';
import { endSession, type OwnSession, sessionsQuery } from './profile.ts';

/** The browsers and programs in which the user is signed in. */
export function SessionsPanel() {
  const t = usePageText();
  const sessions = useQuery(sessionsQuery);
  const deviceName = useDeviceName();
  const columns: readonly Column<OwnSession>[] = [
    {
      label: t('profile.device'),
      show: (session) => (
        <Group gap="xs">
          <Text size="sm" fw={500}>
            {deviceName(session)}
          </Text>
          {session.isCurrent ? <Badge color="green">{t('profile.thisSession')}</Badge> : null}
        </Group>
      ),
    },
    { label: t('profile.signedIn'), show: ({ createdAt }) => <Time value={createdAt} /> },
    { label: t('profile.lastUsed'), show: ({ usedAt }) => <Ago value={usedAt} /> },
    {
      label: '',
      show: (session) =>
        session.isCurrent ? null : <EndButton session={session} name={deviceName(session)} />,
    },
  ];
  return (
    <Panel title={t('profile.sessions')}>
      {sessions.data === undefined ? (
        <Pending query={sessions} height={120} />
      ) : (
        <DataTable
          label={t('profile.sessions')}
          columns={columns}
          rows={sessions.data.list}
          keyOf={({ id }) => id}
        />
      )}
    </Panel>
  );
}

function useDeviceName() {
  const t = usePageText();
  return ({ userAgent }: OwnSession): string => {
    const device = deviceOf(userAgent ?? '');
    return device === undefined
      ? userAgent || t('profile.unknownDevice')
      : t('profile.deviceName', device);
  };
}

function EndButton({ session, name }: { readonly session: OwnSession; readonly name: string }) {
  const t = usePageText();
  const queries = useQueryClient();
  const reload = async () => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
  const ending = useMutation({
    mutationFn: endSession,
    onSuccess: reload,
    onError: async (error) => {
      // The session has ended in the meantime.
      if (error instanceof ApiError && error.status === 404) return reload();
      notifications.show({ color: 'red', message: <ErrorDetails error={error} /> });
    },
  });
  return (
    <Button
      variant="default"
      size="compact-sm"
      loading={ending.isPending}
      aria-label={`${t('profile.endSession')}: ${name}`}
      onClick={() => ending.mutate(session.id)}
    >
      {t('profile.endSession')}
    </Button>
  );
}
