import { Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMetadata } from '../../api/metadata.ts';
import { useUser } from '../../api/session.ts';
import { useText } from '../../language/language.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { FollowedStream } from './followed-stream.tsx';
import { OpenTasks } from './open-tasks.tsx';
import { Upcoming } from './upcoming.tsx';

/** What concerns the user today: activities, tasks, and changes of the records that the user follows. */
export function HomePage() {
  const t = useText();
  const { acl } = useUser();
  const hasTasks = useMetadata().has('Task');
  return (
    <Stack p="md">
      <PageTitle>{t('home.page')}</PageTitle>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          {acl.table['Activities'] === true ? (
            <Section title={t('home.upcoming')}>
              <Upcoming />
            </Section>
          ) : null}
          {hasTasks ? (
            <Section title={t('home.tasks')}>
              <OpenTasks />
            </Section>
          ) : null}
        </Stack>
        <Section title={t('home.stream')}>
          <FollowedStream />
        </Section>
      </SimpleGrid>
    </Stack>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
