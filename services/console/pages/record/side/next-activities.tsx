import { List, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Activity, plannedActivitiesQuery } from '../../../api/activities.ts';
import { useTypeLabel } from '../../../api/metadata.ts';
import { RecordLink } from '../../../fields/record-link.tsx';
import { useFormat } from '../../../language/format.ts';
import { useText } from '../../../language/language.tsx';
import { useTimeSettings } from '../../../language/time-settings.ts';
import { isOverdue } from '../../../parts/due.ts';
import { Panel } from '../../../parts/page/panel.tsx';
import { Pending } from '../../../parts/page/pending.tsx';
import { Time, useNow } from '../../../parts/time.tsx';

/** The planned activities of a record that come first. */
export function NextActivities({ entity, id }: { readonly entity: string; readonly id: string }) {
  const t = useText();
  const found = useQuery(plannedActivitiesQuery(entity, id));
  return (
    <Panel title={t('record.nextActivities')}>
      {found.data === undefined ? (
        <Pending query={found} height={40} />
      ) : (
        <Activities list={found.data.list} total={found.data.total} />
      )}
    </Panel>
  );
}

function Activities({
  list,
  total,
}: {
  readonly list: readonly Activity[];
  readonly total: number;
}) {
  const t = useText();
  const typeLabel = useTypeLabel();
  if (list.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('home.nothingPlanned')}
      </Text>
    );
  }
  return (
    <>
      <List listStyleType="none" spacing="sm" size="sm" aria-label={t('record.nextActivities')}>
        {list.map((activity) => (
          <List.Item key={`${activity._scope} ${activity.id}`} className="wrapping">
            <RecordLink entity={activity._scope} id={activity.id} name={activity.name} />
            <Text size="xs" c="dimmed" component="div">
              {typeLabel(activity._scope)}
              <When activity={activity} />
            </Text>
          </List.Item>
        ))}
      </List>
      {total > list.length ? (
        <Text size="sm" c="dimmed" mt="sm">
          {t('home.moreUpcoming', { count: total - list.length })}
        </Text>
      ) : null}
    </>
  );
}

/** When an activity begins or, if it has no start, is due. */
function When({ activity }: { readonly activity: Activity }) {
  const t = useText();
  const now = useNow();
  const { timeZone } = useTimeSettings();
  const { dateStart, dateStartDate, dateEnd, dateEndDate } = activity;
  const isDue = !dateStart && !dateStartDate;
  const day = isDue ? dateEndDate : dateStartDate;
  const time = isDue ? dateEnd : dateStart;
  const last = { dateEnd: dateEnd || dateStart, dateEndDate: dateEndDate || dateStartDate };
  const isOver = isOverdue(last, now, timeZone);
  return (
    <>
      {isOver ? (
        <>
          {' · '}
          <Text span inherit fw={600} c="var(--mantine-color-error)">
            {t('home.overdue')}
          </Text>
        </>
      ) : null}
      {day || time ? (
        <>
          {' · '}
          {isDue && !isOver ? `${t('home.due')} ` : ''}
          <DayOrTime day={day} time={time} />
        </>
      ) : null}
    </>
  );
}

function DayOrTime(props: {
  readonly day: string | null | undefined;
  readonly time: string | null | undefined;
}) {
  const format = useFormat();
  const { day, time } = props;
  if (day) return format.day(day);
  return time ? <Time value={time} /> : null;
}
