import { Button, Group, Stack, Text, ThemeIcon } from '@mantine/core';
import { IconCheck, IconCircleDashed } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useMetadata } from '../../api/metadata.ts';
import { usePageText } from '../../language/page-text.ts';
import { Hint } from '../../parts/hint.tsx';
import { TextLink } from '../../parts/link.tsx';
import { Panel } from '../../parts/page/panel.tsx';
import type { Setup } from './setup.ts';

/** What is set up in a new installation, and what to do next. */
export function NextSteps(props: { readonly done: Setup; readonly onHide: () => void }) {
  const t = usePageText();
  const { done, onHide } = props;
  return (
    <Panel
      title={t('overview.steps')}
      actions={
        <Button size="compact-sm" variant="default" onClick={onHide}>
          {t('overview.hideSteps')}
        </Button>
      }
    >
      <Hint>{t('overview.stepsText')}</Hint>
      <Stack component="ul" gap="sm" mt="sm" mb={0} p={0} style={{ listStyle: 'none' }}>
        <Step isDone text={t('overview.stepRunning')}>
          <TextLink inherit to="/system">
            {t('titles.system')}
          </TextLink>
        </Step>
        <Step isDone={done.records} text={t('overview.stepRecord')}>
          <TextLink inherit to="/import">
            {t('titles.import')}
          </TextLink>
          <FirstRecord />
        </Step>
        <Step isDone={done.users} text={t('overview.stepUser')}>
          <TextLink inherit to="/people/new/$kind" params={{ kind: 'users' }}>
            {t('people.newUser')}
          </TextLink>
        </Step>
        <Step isDone={done.roles} text={t('overview.stepRole')}>
          <TextLink inherit to="/people/new/$kind" params={{ kind: 'roles' }}>
            {t('people.newRole')}
          </TextLink>
        </Step>
        <Step isDone={done.webhooks} text={t('overview.stepWebhook')}>
          <TextLink inherit to="/webhooks" search={() => ({ mode: 'new' })}>
            {t('webhooks.new')}
          </TextLink>
        </Step>
      </Stack>
      {done.records ? null : (
        <Text size="sm" mt="md">
          {t('overview.noCharts')}
        </Text>
      )}
    </Panel>
  );
}

/** A link to the form for a record of the first entity type in the navigation. */
function FirstRecord() {
  const t = usePageText();
  const first = [...useMetadata().values()].find(({ scope }) => scope.tab);
  if (first === undefined) return null;
  return (
    <TextLink inherit to="/create/$entity" params={{ entity: first.name }}>
      {t('record.create', { entity: first.label })}
    </TextLink>
  );
}

/** One step, with links to the pages where it is done. */
function Step(props: {
  readonly isDone: boolean;
  readonly text: string;
  readonly children: ReactNode;
}) {
  const t = usePageText();
  const { isDone, text, children } = props;
  return (
    <Group component="li" gap="xs" wrap="nowrap" align="flex-start">
      <ThemeIcon size="sm" radius="xl" variant="light" color={isDone ? 'green' : 'gray'}>
        {isDone ? (
          <IconCheck size={14} role="img" aria-label={t('overview.stepDone')} />
        ) : (
          <IconCircleDashed size={14} aria-hidden="true" />
        )}
      </ThemeIcon>
      <div>
        <Text size="sm" {...(isDone ? { c: 'dimmed' } : {})}>
          {text}
        </Text>
        <Group gap="md" fz="sm">
          {children}
        </Group>
      </div>
    </Group>
  );
}
