import { Group, List, Paper, Text, ThemeIcon, Title } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { hasMoreQuery } from '../../api/home.ts';
import { useMetadata } from '../../api/metadata.ts';
import type { Condition } from '../../api/records.ts';
import { useText } from '../../language/language.tsx';
import { Hint } from '../../parts/hint.tsx';
import { TextLink } from '../../parts/link.tsx';

/** What a new installation still lacks. Shows nothing once everything is there. */
export function NextSteps() {
  const t = useText();
  const steps = useSteps();
  if (steps === undefined || steps.every(({ isDone }) => isDone)) return null;
  return (
    <Paper withBorder p="md" component="section" aria-label={t('overview.steps')}>
      <Title order={2} size="h4">
        {t('overview.steps')}
      </Title>
      <Hint>{t('overview.stepsText')}</Hint>
      <List listStyleType="none" spacing="xs" mt="sm">
        {steps.map(({ text, link, isDone }) => (
          <List.Item key={text}>
            <Group gap="xs" wrap="nowrap">
              <ThemeIcon size="sm" radius="xl" variant="light" color={isDone ? 'green' : 'gray'}>
                {isDone ? (
                  <IconCheck size={14} role="img" aria-label={t('overview.stepDone')} />
                ) : (
                  <IconCircleDashed size={14} aria-hidden="true" />
                )}
              </ThemeIcon>
              {isDone ? (
                <Text size="sm" c="dimmed">
                  {t(text)}
                </Text>
              ) : (
                <TextLink {...link} size="sm">
                  {t(text)}
                </TextLink>
              )}
            </Group>
          </List.Item>
        ))}
      </List>
    </Paper>
  );
}

/** An installation starts with an administrator, and perhaps with one regular user. */
const INITIAL_PEOPLE = 2;
const people: readonly Condition[] = [
  { type: 'in', attribute: 'type', value: ['admin', 'regular'] },
];

function useSteps() {
  const first = [...useMetadata().values()].find(({ scope }) => scope.tab);
  const records = useQuery({
    ...hasMoreQuery(first?.name ?? 'Account', 0),
    enabled: first !== undefined,
  });
  const users = useQuery(hasMoreQuery('User', INITIAL_PEOPLE, people));
  const roles = useQuery(hasMoreQuery('Role', 0));
  const webhooks = useQuery(hasMoreQuery('Webhook', 0));
  const isLoading = [records, users, roles, webhooks].some(({ data }) => data === undefined);
  if (isLoading || first === undefined) return undefined;
  const entity = first.name;
  return [
    {
      text: 'overview.stepRecord',
      link: { to: '/create/$entity', params: { entity } },
      isDone: records.data === true,
    },
    { text: 'overview.stepUser', link: { to: '/people' }, isDone: users.data === true },
    {
      text: 'overview.stepRole',
      link: { to: '/people/new/$kind', params: { kind: 'roles' } },
      isDone: roles.data === true,
    },
    { text: 'overview.stepWebhook', link: { to: '/webhooks' }, isDone: webhooks.data === true },
  ] as const;
}
