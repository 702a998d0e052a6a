import { useMediaQuery } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMemo } from 'react';
import { usePreference } from '../../api/preferences.ts';
import { useText } from '../../language/language.tsx';
import { shiftMonth } from '../../parts/dates/month-days.ts';
import { useSearchState } from '../../parts/list/search-state.ts';
import { dayOf, markerOf } from './zone-clock.ts';

export const views = ['month', 'week', 'day', 'agenda'] as const;
export type View = (typeof views)[number];

/** The days that the agenda lists. */
export const agendaDays = 30;

/** The part of the calendar's state that is in its address. */
export interface CalendarState {
  readonly view: View;
  /** A day of the period. */
  readonly date: string;
}

export const calendarReaders = {
  view: (raw: unknown) => views.find((one) => one === raw),
  date: (raw: unknown) => (isDay(raw) ? raw : undefined),
};

/** Excludes years with fewer digits, which date inputs report while the user is typing. */
export function isDay(raw: unknown): raw is string {
  if (typeof raw !== 'string' || !/^[1-9]\d{3}-\d\d-\d\d$/.test(raw)) return false;
  return !Number.isNaN(markerOf(raw)) && dayOf(raw) === raw;
}

/** Returns a day of the next or the previous period. */
export function dateInPeriod(date: string, view: View, direction: -1 | 1): string {
  if (view === 'month') return shiftMonth(`${date.slice(0, 7)}-01`, direction);
  const days = { week: 7, day: 1, agenda: agendaDays }[view];
  return dayOf(date, direction * days);
}

/** The part of the calendar's state that is kept for all devices of the user. */
interface CalendarPreferences {
  readonly view?: View | undefined;
  /** The view on narrow screens. */
  readonly narrowView?: View | undefined;
  /** The users whose calendars are shown; undefined means only one's own. */
  readonly userIds?: readonly string[] | undefined;
  /** The entity types that are not shown. */
  readonly hiddenTypes?: readonly string[];
}

export function useCalendarPreferences(): readonly [
  ReturnType<typeof readPreferences>,
  (change: CalendarPreferences) => void,
] {
  const t = useText();
  const [stored, store] = usePreference('annals-calendar', () =>
    notifications.show({
      id: 'calendar-not-stored',
      color: 'yellow',
      message: t('calendar.notStored'),
    }),
  );
  const known = useMemo(() => readPreferences(stored), [stored]);
  return [known, (change) => store({ ...known, ...change })];
}

/**
 * Returns the state in the address, completed by the preferences, and functions that change it. Narrow screens begin
 * with the agenda, because a month or a week does not fit.
 */
export function useCalendarState(
  today: string,
  preferences: CalendarPreferences,
  store: (change: CalendarPreferences) => void,
) {
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false });
  const [address, change] = useSearchState<CalendarState>(calendarReaders);
  const usual = isNarrow ? (preferences.narrowView ?? 'agenda') : (preferences.view ?? 'week');
  const state: CalendarState = { view: address.view ?? usual, date: address.date ?? today };
  return {
    state,
    change,
    /** Changes the view, also for the next visits. */
    choose(view: View): void {
      store(isNarrow ? { narrowView: view } : { view });
      change({ view });
    },
  };
}

/** Ignores malformed parts: other clients can change preferences, too. */
export function readPreferences(stored: unknown) {
  const { view, narrowView, userIds, hiddenTypes } = Object(stored);
  return {
    view: calendarReaders.view(view),
    narrowView: calendarReaders.view(narrowView),
    userIds: textsIn(userIds)?.slice(0, mostUsers),
    hiddenTypes: textsIn(hiddenTypes) ?? [],
  } satisfies CalendarPreferences;
}

/** As many calendars as there are colours. */
export const mostUsers = 8;

function textsIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined;
  const texts = value.filter((one) => typeof one === 'string' && one !== '');
  return texts.length > 0 ? [...new Set(texts)] : undefined;
}
