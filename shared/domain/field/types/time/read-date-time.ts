import type { LocalClock } from '../../../value/local-time.ts';
import { type AttributeRule, type Kept, type Report, refuse } from '../../attribute-rule.ts';

/** `YYYY-MM-DD`; a date with a time is accepted, without the time. */
export function readDate(rule: AttributeRule, value: unknown, report: Report): Kept<string> {
  if (value === null || value === '') return null;
  const text = toShortText(value);
  const date = parseTime(text)?.date ?? text;
  return isCalendarDate(date)
    ? date
    : refuse(rule, 'valid', 'must be a date of the form YYYY-MM-DD', report);
}

/** `YYYY-MM-DD HH:MM[:SS]` in UTC, or ISO 8601 with `Z` or an offset; fractions of a second are dropped. */
export function readDateTime(rule: AttributeRule, value: unknown, report: Report): Kept<string> {
  if (value === null || value === '') return null;
  const requirement =
    'must be a time of the form YYYY-MM-DD HH:MM:SS in UTC, or ISO 8601 with Z or an offset';
  return toUtc(toShortText(value)) ?? refuse(rule, 'valid', requirement, report);
}

/**
 * `YYYY-MM-DD HH:MM:SS`, without a fraction of a second; undefined for an invalid time. Without an offset, the text is a
 * time of the clock, or of UTC if there is no clock.
 */
export function toUtc(text: string, clock?: LocalClock): string | undefined {
  const time = parseTime(text);
  if (time === undefined || !isCalendarDate(time.date)) return undefined;
  if (time.offset === undefined && clock === undefined) {
    // A time with a T but no offset is in the sender's time zone, which is unknown here.
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

/** `Z`, `+02`, `+0200` and `+02:00`. */
function toMinutes(offset: string): number {
  if (offset === 'Z') return 0;
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3).replace(':', ''));
  return offset.startsWith('-') ? -minutes : minutes;
}

/**
 * Whether the text is a day that the calendar has, in a year that Postgres can store. `Date` takes February 30 for a day
 * of March.
 */
export function isCalendarDate(text: string): boolean {
  if (!dateForm.test(text)) return false;
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8));
}

/** Without blanks around it; empty for what is no text, or too long for a time. */
export function toShortText(value: unknown): string {
  return typeof value === 'string' && value.length <= MAX_TIME_LENGTH ? value.trim() : '';
}

const dateForm = /^(?!0000)\d{4}-\d\d-\d\d$/;
const timeForm =
  /^(\d{4}-\d\d-\d\d)([ T])((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.\d{1,9})?)?(Z|[+-](?:0\d|1[0-4])(?::?[0-5]\d)?)?$/;
const storableYear = /^(?!0000)\d{4}-/;
const MAX_TIME_LENGTH = 64;
