import { Group, SimpleGrid, Stack } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useMetadata } from '../../api/metadata.ts';
import { useRightsOf } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { useText } from '../../language/language.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import { FollowedStream } from './followed-stream.tsx';
import { OpenOpportunities } from './open-opportunities.tsx';
import { OpenTasks } from './open-tasks.tsx';
import { UnreadNotifications } from './unread-notifications.tsx';
import { Upcoming } from './upcoming.tsx';

/** The user's day: activities, open tasks and opportunities, unread notifications, and changes of the records that the user follows. */
export function HomePage() {
  const t = useText();
  const { acl } = useUser();
  const metadata = useMetadata();
  const [task, opportunity] = [metadata.get('Task'), metadata.get('Opportunity')];
  return (
    <Stack p="md">
      <PageTitle>{t('home.page')}</PageTitle>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack miw={0}>
          {task === undefined ? null : (
            <Panel title={t('home.tasks')} actions={<CreateLinks types={['Task']} />}>
              <OpenTasks entity={task} />
            </Panel>
          )}
          {acl.table['Activities'] === true ? (
            <Panel title={t('home.upcoming')} actions={<CreateLinks types={['Meeting', 'Call']} />}>
              <Upcoming />
            </Panel>
          ) : null}
          {opportunity === undefined ? null : <OpenOpportunities entity={opportunity} />}
        </Stack>
        <Stack miw={0}>
          <UnreadNotifications />
          <Panel title={t('home.stream')}>
            <FollowedStream />
          </Panel>
        </Stack>
      </SimpleGrid>
    </Stack>
  );
}

/** Buttons for new records, of the types that the user may create. */
function CreateLinks({ types }: { readonly types: readonly string[] }) {
  const t = useText();
  const metadata = useMetadata();
  const rightsOf = useRightsOf();
  const creatable = types.flatMap((type) => {
    const entity = rightsOf(type).may('create') ? metadata.get(type) : undefined;
    return entity === undefined ? [] : [entity];
  });
  return (
    <Group gap="xs">
      {creatable.map(({ name, label }) => (
        <ButtonLink
          key={name}
          to="/create/$entity"
          params={{ entity: name }}
          size="compact-sm"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
        >
          {t('record.create', { entity: label })}
        </ButtonLink>
      ))}
    </Group>
  );
}
