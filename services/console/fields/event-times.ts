import type { Entity } from '../api/metadata.ts';
import { parseTime } from '../language/format.ts';
import { localDay, toApiTime, toUtc } from '../language/local-time.ts';
import { toLocalIso } from '../language/zone-clock.ts';
import type { Values } from './input-parts.ts';

const DAY_MS = 86_400_000;
const DAY_SECONDS = DAY_MS / 1000;
const HALF_HOUR_MS = 1_800_000;
const DEFAULT_SECONDS = 3_600;

/** True for events, which last from `dateStart` to `dateEnd` and have a duration. */
export function isEvent({ fields }: Pick<Entity, 'fields'>): boolean {
  return 'dateStart' in fields && 'dateEnd' in fields && fields['duration']?.type === 'duration';
}

/** The fields of an event that one input replaces. */
export const eventFields: ReadonlySet<string> = new Set([
  'dateStart',
  'dateEnd',
  'duration',
  'isAllDay',
]);

/** Returns the next full or half hour on the clocks of a time zone, by default the browser's. */
export function nextHalfHour(now: Date, zone?: string): Date {
  const minutes = Number(toLocalIso(now, zone).slice(14, 16));
  const inHalfHour =
    (minutes % 30) * 60_000 + now.getUTCSeconds() * 1000 + now.getUTCMilliseconds();
  return new Date(now.getTime() - inHalfHour + HALF_HOUR_MS);
}

/** Returns the times of a new event: from the next half hour, for the default duration of its type. */
export function newEventTimes(entity: Pick<Entity, 'fields'>, now: Date, zone?: string): Values {
  if (!isEvent(entity)) return {};
  return timesOf(nextHalfHour(now, zone), defaultSeconds(entity));
}

export function defaultSeconds({ fields }: Pick<Entity, 'fields'>): number {
  const seconds = fields['duration']?.default;
  return typeof seconds === 'number' ? seconds : DEFAULT_SECONDS;
}

function timesOf(start: Date, seconds: number): Values {
  const end = new Date(start.getTime() + seconds * 1000);
  return { dateStart: toApiTime(start), dateEnd: toApiTime(end) };
}

/** Returns the seconds between start and end; undefined if one is missing or the end is earlier. */
export function secondsBetween(values: Values): number | undefined {
  const start = momentOf(values, 'dateStart', 0);
  const end = momentOf(values, 'dateEnd', DAY_MS);
  if (start === undefined || end === undefined || end < start) return undefined;
  return (end - start) / 1000;
}

/** A whole day ends at the following midnight. Days are in UTC here, so each has 24 hours. */
function momentOf(values: Values, field: string, dayMs: number): number | undefined {
  const day = values[`${field}Date`];
  if (typeof day === 'string' && day !== '') return Date.parse(`${day}T00:00:00Z`) + dayMs;
  const time = values[field];
  return typeof time === 'string' ? parseTime(time)?.getTime() : undefined;
}

/** Returns the changes for a new start: the event keeps its duration. `start` is an API time. */
export function withStart(values: Values, start: string | null, fallbackSeconds: number): Values {
  const time = start === null ? undefined : parseTime(start);
  if (time === undefined) return { dateStart: start };
  return timesOf(time, secondsBetween(values) ?? fallbackSeconds);
}

/** Returns the changes for a new first day: the event keeps its number of days. */
export function withFirstDay(
  values: Values,
  day: string | null,
  fallbackSeconds = DAY_SECONDS,
): Values {
  if (day === null || Number.isNaN(Date.parse(day))) return { dateStartDate: day };
  const seconds = secondsBetween(values) ?? fallbackSeconds;
  const days = Math.max(1, Math.round((seconds * 1000) / DAY_MS));
  return { dateStartDate: day, dateEndDate: dayAfter(day, days - 1) };
}

/** Returns the changes for a new duration. */
export function withDuration(values: Values, seconds: number): Values {
  const { dateStart } = values;
  const start = typeof dateStart === 'string' ? parseTime(dateStart) : undefined;
  return start === undefined ? {} : timesOf(start, seconds);
}

/** Returns the changes that turn an event into one of whole days: all days that it touches. */
export function asWholeDays(values: Values, now: Date, zone?: string): Values {
  const { dateStart, dateEnd } = values;
  const start = (typeof dateStart === 'string' && parseTime(dateStart)) || now;
  const end = (typeof dateEnd === 'string' && parseTime(dateEnd)) || start;
  // An event that ends at midnight does not touch the next day.
  const last = new Date(Math.max(start.getTime(), end.getTime() - 1));
  return {
    dateStart: null,
    dateEnd: null,
    dateStartDate: localDay(start, zone),
    dateEndDate: localDay(last, zone),
  };
}

const MORNING = 'T09:00';

/** Returns the changes that turn an event of whole days into one with times, in the morning of its first day. */
export function asTimes(values: Values, seconds: number, now: Date, zone?: string): Values {
  const { dateStartDate: day } = values;
  const first = typeof day === 'string' && day !== '' ? day : localDay(now, zone);
  const morning = parseTime(toUtc(`${first}${MORNING}`, zone) ?? '') ?? nextHalfHour(now, zone);
  return { ...timesOf(morning, seconds), dateStartDate: null, dateEndDate: null };
}

/** The times of an event before and after it was switched between whole days and times. */
export interface Switched {
  readonly before: Values;
  readonly after: Values;
}

/** Returns the times from before the switch, for switching back; undefined if they have changed since. */
export function timesBefore(switched: Switched | undefined, values: Values): Values | undefined {
  const isUnchanged = timeAttributes.every(
    (name) => (switched?.after[name] ?? null) === (values[name] ?? null),
  );
  return isUnchanged ? switched?.before : undefined;
}

const timeAttributes = ['dateStart', 'dateStartDate', 'dateEnd', 'dateEndDate'];

export function timesIn(values: Values): Values {
  return Object.fromEntries(timeAttributes.map((name) => [name, values[name] ?? null]));
}

function dayAfter(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

interface Parts {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
}

/** Splits a duration into days, hours and minutes. */
export function partsOfDuration(seconds: number): Parts {
  const minutes = Math.round(seconds / 60);
  return {
    days: Math.floor(minutes / 1440),
    hours: Math.floor((minutes % 1440) / 60),
    minutes: minutes % 60,
  };
}
