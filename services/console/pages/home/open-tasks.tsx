import { Badge } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { openTasksQuery } from '../../api/home.ts';
import { useMetadata } from '../../api/metadata.ts';
import type { AnyRecord } from '../../api/records.ts';
import { RecordLink } from '../../fields/record-link.tsx';
import { parseTime } from '../../language/format.ts';
import { useText } from '../../language/language.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { EntryList } from './entry-list.tsx';
import { Moment } from './moment.tsx';

/** The user's open tasks, overdue ones first. */
export function OpenTasks() {
  const t = useText();
  const metadata = useMetadata();
  const found = useQuery(openTasksQuery);
  if (found.data === undefined) return <Pending query={found} height={120} />;
  const task = metadata.get('Task');
  return (
    <EntryList
      label={t('home.tasks')}
      empty={t('home.noTasks')}
      entries={found.data.map((record) => ({
        key: record.id,
        title: <RecordLink entity="Task" id={record.id} name={record['name']} />,
        detail: (
          <>
            {task?.optionOf('status', textOf(record, 'status') ?? '')}
            {record['parentId'] ? ' · ' : ''}
            {record['parentId'] ? (
              <RecordLink
                underline="always"
                entity={record['parentType']}
                id={String(record['parentId'])}
                name={record['parentName']}
              />
            ) : null}
          </>
        ),
        when: <Due task={record} />,
      }))}
    />
  );
}

function Due({ task }: { readonly task: AnyRecord }) {
  const t = useText();
  const [time, day] = [textOf(task, 'dateEnd'), textOf(task, 'dateEndDate')];
  return (
    <>
      {isOverdue(time, day, new Date()) ? (
        <Badge size="xs" color="red" variant="light" tt="none" mr={4}>
          {t('home.overdue')}
        </Badge>
      ) : null}
      <Moment time={time} day={day} />
    </>
  );
}

/** A task that is due on a day is overdue once that day has ended in the user's time zone. */
export function isOverdue(time: string | undefined, day: string | undefined, now: Date): boolean {
  if (day !== undefined) {
    const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
    return new Date(year, month - 1, date + 1) <= now;
  }
  const due = time === undefined ? undefined : parseTime(time);
  return due !== undefined && due < now;
}

function textOf(record: AnyRecord, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}
