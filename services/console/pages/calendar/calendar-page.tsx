import { Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { activityTypesOf, type Entity, useMetadata } from '../../api/metadata.ts';
import {
  mayReadCalendars,
  mayReadCalendarsOfOthers,
  mayReadUsers,
  useRightsOf,
} from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { useText } from '../../language/language.tsx';
import { useTimeZone } from '../../language/time-settings.ts';
import { NoAccess } from '../../parts/page/no-access.tsx';
import { PageTitle } from '../../parts/page/page-title.tsx';
import { useCalendarPreferences, useCalendarState } from './calendar-state.ts';
import { CalendarToolbar, TypeFilter } from './calendar-toolbar.tsx';
import type { Period } from './calendar-view.tsx';
import { EventCalendar } from './event-calendar.tsx';
import { newSpanIn } from './event-spans.ts';
import { NewEventButton } from './new-event.tsx';
import { PeopleLegend, PeoplePicker } from './people-picker.tsx';
import { userNamesQuery } from './requests.ts';
import type { Person } from './use-placed-events.ts';
import { dayOf, zoneClock } from './zone-clock.ts';

/** Meetings, calls, tasks and custom events of one or several users. */
export function CalendarPage() {
  const t = useText();
  const metadata = useMetadata();
  const entities = useMemo(() => activityTypesOf(metadata), [metadata]);
  if (!mayReadCalendars(useUser()) || entities.length === 0) {
    return <NoAccess text={t('calendar.noAccess')} />;
  }
  return <Calendar entities={entities} />;
}

function Calendar({ entities }: { readonly entities: readonly Entity[] }) {
  const t = useText();
  const timeZone = useTimeZone();
  const clock = useMemo(() => zoneClock(timeZone), [timeZone]);
  const now = clock.toWall(new Date());
  const [preferences, store] = useCalendarPreferences();
  const { hiddenTypes } = preferences;
  const { state, change, choose } = useCalendarState(dayOf(now), preferences, store);
  const [period, setPeriod] = useState<Period>();
  const { people, mayChoose } = usePeople(preferences.userIds);
  const rightsOf = useRightsOf();
  const creatable = entities.filter(({ name }) => rightsOf(name).may('create'));
  return (
    <Stack p="md" gap="sm">
      <Group justify="space-between">
        <PageTitle>{t('calendar.title')}</PageTitle>
        {creatable.length === 0 ? null : (
          <NewEventButton span={newSpanIn(period, now)} clock={clock} entities={creatable} />
        )}
      </Group>
      <CalendarToolbar
        state={state}
        title={period?.title ?? ''}
        today={dayOf(now)}
        onDate={(date) => change({ date })}
        onView={choose}
      />
      <Group justify="space-between" align="flex-end">
        <TypeFilter
          entities={entities}
          hidden={hiddenTypes}
          isLegend={people.length === 1}
          onChange={(hidden) => store({ hiddenTypes: hidden })}
        />
        {mayChoose ? (
          <PeoplePicker people={people} onChange={(userIds) => store({ userIds })} />
        ) : null}
      </Group>
      {people.length > 1 ? <PeopleLegend people={people} /> : null}
      <EventCalendar
        clock={clock}
        state={state}
        period={period}
        people={people}
        entities={entities}
        creatable={creatable}
        hiddenTypes={hiddenTypes}
        onShow={setPeriod}
        onChange={change}
      />
    </Stack>
  );
}

/** Returns the users whose calendars are shown: the chosen ones, or else only the signed-in user. */
function usePeople(chosen: readonly string[] | undefined) {
  const session = useUser();
  const { id: ownId } = session.user;
  const { name: ownName = ownId } = Object(session.user);
  const mayChoose = mayReadCalendarsOfOthers(session) && mayReadUsers(session);
  const ids = useMemo(() => (mayChoose && chosen) || [ownId], [mayChoose, chosen, ownId]);
  const { data } = useQuery(userNamesQuery(ids.filter((id) => id !== ownId)));
  const people = useMemo((): readonly Person[] => {
    const names = new Map(data?.list.map(({ id, name }) => [id, name]));
    const nameOf = (id: string): string => String((id === ownId ? ownName : names.get(id)) ?? id);
    return ids.map((id) => ({ id, name: nameOf(id) }));
  }, [ids, data, ownId, ownName]);
  return { people, mayChoose };
}
