import { Button, Group, List, Text } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { type Activity, plannedActivitiesQuery } from '../../../api/activities.ts';
import { activityTypesOf, type Entity, useMetadata, useTypeLabel } from '../../../api/metadata.ts';
import type { AnyRecord } from '../../../api/records.ts';
import { RecordLink } from '../../../fields/record-link.tsx';
import { useFormat } from '../../../language/format.ts';
import { useText } from '../../../language/language.tsx';
import { useTimeSettings } from '../../../language/time-settings.ts';
import { isOverdue } from '../../../parts/due.ts';
import { Panel } from '../../../parts/page/panel.tsx';
import { Pending } from '../../../parts/page/pending.tsx';
import { Time, useNow } from '../../../parts/time.tsx';
import { NewHere } from '../related/new-here.tsx';

interface Props {
  readonly entity: Entity;
  readonly record: AnyRecord;
}

/** The planned activities of a record that come first. */
export function NextActivities({ entity, record }: Props) {
  const t = useText();
  const [size, setSize] = useState(firstSize);
  const found = useQuery({
    ...plannedActivitiesQuery(entity.name, record.id, size),
    placeholderData: keepPreviousData,
  });
  return (
    <Panel title={t('record.nextActivities')}>
      {found.data === undefined ? (
        <Pending query={found} height={40} />
      ) : (
        <Activities
          {...found.data}
          isLoading={found.isPlaceholderData}
          onMore={size < largestSize ? () => setSize(largestSize) : undefined}
        />
      )}
      <NewActivities entity={entity} record={record} />
    </Panel>
  );
}

/** Opens the form of a new activity of each type that the record has a link to. */
function NewActivities({ entity, record }: Props) {
  const metadata = useMetadata();
  return (
    <Group gap="xs" mt="sm">
      {activityTypesOf(metadata).map((target) => {
        const link = Object.keys(entity.links).find(
          (name) => entity.links[name]?.entity === target.name,
        );
        return link === undefined ? null : (
          <NewHere
            key={target.name}
            entity={entity}
            record={record}
            link={link}
            target={target}
            isShort
          />
        );
      })}
    </Group>
  );
}

const firstSize = 3;
const largestSize = 100;

function Activities(props: {
  readonly list: readonly Activity[];
  readonly total: number;
  readonly isLoading: boolean;
  /** Loads the others; undefined if there are too many. */
  readonly onMore: (() => void) | undefined;
}) {
  const t = useText();
  const { list, total, onMore } = props;
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
        <Button
          variant="subtle"
          size="compact-sm"
          mt="xs"
          ml={-8}
          disabled={onMore === undefined}
          loading={props.isLoading}
          onClick={onMore}
        >
          {t('home.moreUpcoming', { count: total - list.length })}
        </Button>
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
