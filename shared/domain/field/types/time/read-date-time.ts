import type { LocalClock } from '../../../value/date-time.ts';
import {
  type AttributeRule,
  invalid,
  type Kept,
  type Report,
  refuse,
} from '../../attribute-rule.ts';

/** Reads `YYYY-MM-DD`. Also accepts a date with a time, which is dropped. */
export function readDate(rule: AttributeRule, value: unknown, report: Report): Kept<string> {
  if (value === null || value === '') return null;
  const text = toShortText(value);
  const date = parseTime(text)?.date ?? text;
  return isCalendarDate(date)
    ? date
    : refuse(rule, invalid('date', 'must be a date in the form YYYY-MM-DD'), report);
}

/** Reads `YYYY-MM-DD HH:MM[:SS]` in UTC, or ISO 8601 with `Z` or an offset. Fractions of a second are dropped. */
export function readDateTime(rule: AttributeRule, value: unknown, report: Report): Kept<string> {
  if (value === null || value === '') return null;
  const requirement =
    'must be a time in the form YYYY-MM-DD HH:MM:SS in UTC, or ISO 8601 with Z or an offset';
  return toUtc(toShortText(value)) ?? refuse(rule, invalid('dateTime', requirement), report);
}

/**
 * Converts a time to `YYYY-MM-DD HH:MM:SS` in UTC, without fractions; undefined if invalid. Text without an offset is
 * in the time zone of the clock, or in UTC without a clock.
 */
export function toUtc(text: string, clock?: LocalClock): string | undefined {
  const time = parseTime(text);
  if (time === undefined || !isCalendarDate(time.date)) return undefined;
  if (time.offset === undefined && clock === undefined) {
    // A time with a T but without an offset is in the sender's time zone, which is unknown here.
    return time.isIso ? undefined : `${time.date} ${time.timeOfDay}`;
  }
  const localMs = Date.parse(`${time.date}T${time.timeOfDay}Z`);
  const utcMs =
    time.offset === undefined ? clock?.toUtc(localMs) : localMs - toMinutes(time.offset) * 60_000;
  const utc = new Date(utcMs ?? localMs).toISOString();
  return storableYear.test(utc) ? `${utc.slice(0, 10)} ${utc.slice(11, 19)}` : undefined;
}

function parseTime(text: string) {
  const match = timeForm.exec(text);
  if (match === null) return undefined;
  const [, date = '', separator, hourAndMinute = '', second = '00', offset] = match;
  return { date, timeOfDay: `${hourAndMinute}:${second}`, isIso: separator === 'T', offset };
}

/** Parses `Z`, `+02`, `+0200` and `+02:00`. */
function toMinutes(offset: string): number {
  if (offset === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3).replace(':', ''));
  return offset.startsWith('-') ? -minutes : minutes;
}

/**
 * True if the text is an existing calendar day in a year that Postgres can store. `Date` alone would interpret February
 * 30 as a day in March.
 */
export function isCalendarDate(text: string): boolean {
  if (!dateForm.test(text)) return false;
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8));
}

/** Trims the text. Returns an empty string for other types and for text that is too long for a time. */
export function toShortText(value: unknown): string {
  return typeof value === 'string' && value.length <= MAX_TIME_LENGTH ? value.trim() : '';
}

const dateForm = /^(?!0000)\d{4}-\d\d-\d\d$/;
const timeForm =
  /^(\d{4}-\d\d-\d\d)([ T])((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/;
const storableYear = /^(?!0000)\d{4}-/;
const MAX_TIME_LENGTH = 64;
