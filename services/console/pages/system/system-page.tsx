import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../api/session.ts';
import { statusQuery } from '../../api/system.ts';
import { useText } from '../../language/language.tsx';
import { NotFound } from '../../parts/page/not-found.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { StatusError } from '../../parts/page/status-error.tsx';
import { DeadLetters } from './dead-letters.tsx';
import { Disks } from './disks.tsx';
import { FindingsPanel } from './findings-panel.tsx';
import { Processes } from './processes.tsx';
import { Queues } from './queues.tsx';

export function SystemPage() {
  return useUser().user.isAdmin ? <System /> : <NotFound />;
}

/** What the installation is made of, and what is wrong with it. */
function System() {
  const t = useText();
  const { settings } = useUser();
  const version = Object(settings).version;
  return (
    <Stack p="md">
      <div>
        <PageTitle>{t('system.title')}</PageTitle>
        {typeof version === 'string' ? (
          <Text c="dimmed">{t('system.version', { version })}</Text>
        ) : null}
      </div>
      <FindingsPanel />
      <StatusError />
      <State />
    </Stack>
  );
}

/** As it was last known: what is wrong now stands above. */
function State() {
  const { data, error } = useQuery(statusQuery);
  if (data === undefined) return error === null ? <Skeleton h={320} /> : null;
  return (
    <>
      <Processes status={data} />
      <Disks disks={data.disks} />
      <Queues queues={data.queues} />
      <DeadLetters counts={data.deadLetters} />
    </>
  );
}
