import { ActionIcon, Stack } from '@mantine/core';
import { IconCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { recordRight, useRights } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { useFormat } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { useTimeSettings } from '../../language/time-settings.ts';
import { TextLink } from '../../parts/link.tsx';
import { OverdueBadge } from '../../parts/overdue-badge.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { Time } from '../../parts/time.tsx';
import styles from './entry-list.module.css';
import { EntryList } from './entry-list.tsx';
import { openTasksQuery, shownTasks } from './home.ts';
import { completedStatus, useCompleteTask } from './use-complete-task.tsx';

/** The user's open tasks, overdue ones first. */
export function OpenTasks({ entity }: { readonly entity: Entity }) {
  const t = useText();
  const { timeZone } = useTimeSettings();
  const found = useQuery(openTasksQuery(entity, timeZone));
  if (found.data === undefined) return <Pending query={found} height={120} />;
  const tasks = found.data.slice(0, shownTasks);
  return (
    <Stack gap="sm">
      <EntryList
        label={t('home.tasks')}
        empty={t('home.noTasks')}
        entries={tasks.map((task) => ({
          key: task.id,
          action: <CompleteButton entity={entity} task={task} />,
          title: <RecordLink entity="Task" id={task.id} name={task['name']} />,
          detail: <Concerned entity={entity} task={task} />,
          when: <Due task={task} />,
        }))}
      />
      {found.data.length > tasks.length ? (
        <TextLink
          size="sm"
          to="/records/$entity"
          params={{ entity: 'Task' }}
          search={() => ({ filter: 'actual,mine' })}
        >
          {t('home.allTasks')}
        </TextLink>
      ) : null}
    </Stack>
  );
}

/** Shows nothing if the user may not complete the task. */
function CompleteButton({ entity, task }: { readonly entity: Entity; readonly task: AnyRecord }) {
  const t = useText();
  const session = useUser();
  const rights = useRights('Task');
  const completing = useCompleteTask(task);
  const isOption = entity.fields['status']?.options?.includes(completedStatus) === true;
  const right = recordRight(session, { entity, record: task, action: 'edit' });
  if (!isOption || !right.isGranted || !rights.mayEditField('status')) return null;
  const label = t('home.complete', { name: String(task['name'] ?? task.id) });
  return (
    <ActionIcon
      variant="default"
      size="sm"
      radius="xl"
      className={styles['complete'] ?? ''}
      aria-label={label}
      title={label}
      loading={completing.isPending}
      onClick={() => completing.mutate()}
    >
      <IconCheck size={14} aria-hidden="true" />
    </ActionIcon>
  );
}

/** The status of a task, and the record that it concerns. */
function Concerned({ entity, task }: { readonly entity: Entity; readonly task: AnyRecord }) {
  const { status, parentType, parentId, parentName } = task;
  const text = typeof status === 'string' ? entity.optionOf('status', status) : '';
  if (typeof parentId !== 'string') return text;
  return (
    <>
      {text} · <RecordLink underline="always" entity={parentType} id={parentId} name={parentName} />
    </>
  );
}

function Due({ task }: { readonly task: AnyRecord }) {
  const format = useFormat();
  const { dateEnd: time, dateEndDate: day } = task;
  return (
    <>
      <OverdueBadge due={task} />
      {typeof day === 'string' ? format.day(day) : null}
      {typeof time === 'string' ? <Time value={time} /> : null}
    </>
  );
}
