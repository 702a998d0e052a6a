import type { Entity } from '../../api/metadata.ts';
import { defaultSeconds } from '../../fields/event-times.ts';
import type { Values } from '../../fields/input-parts.ts';
import { parseTime } from '../../language/format.ts';
import { toApiTime } from '../../language/local-time.ts';
import { dayOf, markerOf, wallOf, type ZoneClock } from './zone-clock.ts';

/** The times of a record, as the API returns them. */
export interface Times {
  readonly dateStart?: string | null;
  readonly dateStartDate?: string | null;
  readonly dateEnd?: string | null;
  /** The last day, unlike the end of a span. */
  readonly dateEndDate?: string | null;
}

/** The place of a record in the calendar, in wall-clock times, or in days if it lasts whole days. */
export interface Span {
  readonly isAllDay: boolean;
  readonly start: string;
  /** Exclusive; null for a record with only one time, such as a task with only a due date. */
  readonly end: string | null;
}

type Fields = Pick<Entity, 'fields'>;

/** Returns undefined for a record without a time. */
export function spanOf(times: Times, clock: ZoneClock): Span | undefined {
  const start = wallAt(times.dateStart, clock);
  const end = wallAt(times.dateEnd, clock);
  if (start === undefined && end === undefined) return daysOf(times);
  const { dateStartDate, dateEndDate } = times;
  const from = start ?? (dateStartDate ? midnightOf(dateStartDate) : undefined);
  const to = end ?? (dateEndDate ? midnightOf(dayOf(dateEndDate, 1)) : undefined);
  const known = from ?? to ?? '';
  // Clocks that are set back can show an earlier time at the end.
  const hasLength = from !== undefined && to !== undefined && to > from;
  return { isAllDay: false, start: known, end: hasLength ? to : null };
}

function daysOf({ dateStartDate, dateEndDate }: Times): Span | undefined {
  const first = dateStartDate ?? dateEndDate;
  if (!first) return undefined;
  const last = dateEndDate && dateEndDate > first ? dateEndDate : first;
  return { isAllDay: true, start: first, end: dayOf(last, 1) };
}

function midnightOf(day: string): string {
  return `${day}T00:00:00`;
}

function wallAt(time: string | null | undefined, clock: ZoneClock): string | undefined {
  const moment = time ? parseTime(time) : undefined;
  return moment && clock.toWall(moment);
}

/** Returns the field of a record with only one time; undefined if it has two. */
export function onlyTimeOf(times: Times): 'dateEnd' | 'dateStart' | undefined {
  if (!times.dateStart && !times.dateStartDate) return 'dateEnd';
  return !times.dateEnd && !times.dateEndDate ? 'dateStart' : undefined;
}

/** True for entity types whose records can last whole days. */
export function mayLastDays({ fields }: Fields): boolean {
  return fields['dateStart']?.type === 'datetimeOptional';
}

interface Target {
  readonly entity: Fields;
  readonly clock: ZoneClock;
  /** Present if the record has only this time, and keeps only one. */
  readonly only?: 'dateEnd' | 'dateStart' | undefined;
}

/** Returns the attributes that give a record a place in the calendar. */
export function valuesAt(span: Span, { entity, clock, only }: Target): Values {
  const names = only === undefined ? (['dateStart', 'dateEnd'] as const) : [only];
  const [start, end] = endsOf(span, entity, clock);
  const values = names.map((name): Values => {
    const value = name === 'dateEnd' && only === undefined ? end : start;
    if (!mayLastDays(entity)) return { [name]: value };
    return span.isAllDay
      ? { [name]: null, [`${name}Date`]: value }
      : { [name]: value, [`${name}Date`]: null };
  });
  const flag = 'isAllDay' in entity.fields ? { isAllDay: span.isAllDay } : {};
  return Object.assign(flag, ...values);
}

/** Returns the first and the last day, or the times in UTC. */
function endsOf(
  { isAllDay, start, end }: Span,
  entity: Fields,
  clock: ZoneClock,
): readonly [string, string] {
  if (isAllDay) {
    const first = start.slice(0, 10);
    return [first, end === null ? first : dayOf(end, -1)];
  }
  const from = clock.toMoment(start);
  const usualEnd = new Date(from.getTime() + defaultSeconds(entity) * 1000);
  const to = end === null ? usualEnd : clock.toMoment(end);
  return [toApiTime(from), toApiTime(to)];
}

/** Returns the span some minutes or days later, or earlier if the number is negative. */
export function shifted(span: Span, by: Step): Span {
  const move = (wall: string): string => later(wall, by);
  return { ...span, start: move(span.start), end: span.end && move(span.end) };
}

/** Returns a span that ends later or earlier; undefined if it would not have a length. */
export function lengthened(span: Span, by: Step): Span | undefined {
  if (span.end === null) return undefined;
  const end = later(span.end, by);
  return end > span.start ? { ...span, end } : undefined;
}

export interface Step {
  readonly days?: number;
  readonly minutes?: number;
}

function later(wall: string, { days = 0, minutes = 0 }: Step): string {
  const moved = wallOf(markerOf(wall) + (days * 1_440 + minutes) * 60_000);
  return moved.slice(0, wall.length);
}

const MORNING = 'T09:00:00';
const HALF_HOUR = 30;

/** Returns the usual place of a new record: the next half hour, or in the morning of the first day of another period. */
export function newSpanIn(
  period: { readonly date: string; readonly start: string; readonly end: string } | undefined,
  now: string,
): Span {
  const today = dayOf(now);
  const isPresent = period === undefined || (period.start <= today && today < period.end);
  if (!isPresent) return { isAllDay: false, start: period.date + MORNING, end: null };
  const minute = Number(now.slice(14, 16));
  const hour = `${now.slice(0, 14)}00:00`;
  const start = later(hour, { minutes: minute < HALF_HOUR ? HALF_HOUR : 2 * HALF_HOUR });
  return { isAllDay: false, start, end: null };
}

/**
 * Returns the values of a new record in a place that was chosen in the calendar. Without an end, it gets the usual
 * duration of its entity type. Types without whole days begin in the morning of the first day.
 */
export function newValuesAt(span: Span, context: Omit<Target, 'only'>): Values {
  const isTimed = span.isAllDay && !mayLastDays(context.entity);
  const timed = { isAllDay: false, start: span.start.slice(0, 10) + MORNING, end: null };
  return valuesAt(isTimed ? timed : span, context);
}
