import {
  isCalendarDate,
  readDate,
  toShortText,
  toUtc,
} from '../../domain/field/types/time/read-date-time.ts';
import { printable } from '../../domain/printable.ts';
import { formatDateTime, type LocalClock } from '../../domain/value/date-time.ts';
import { badWhere } from './where-item.ts';

/** A day or time sent by the client. */
export interface Moment {
  /** Milliseconds since 1970; for a day, the start of the day in UTC. */
  readonly ms: number;
  readonly isDay: boolean;
}

export type MomentKind = 'date' | 'datetime';

/** Reads a value of a condition on a date or time. Without a clock, times without an offset are in UTC. */
export function readMoment(
  value: unknown,
  form: {
    readonly kind: MomentKind;
    readonly attribute: string;
    readonly clock: LocalClock | undefined;
  },
): Moment {
  const { kind, attribute, clock } = form;
  const text = toShortText(value);
  const isDay = kind === 'date' || isCalendarDate(text);
  const read = isDay
    ? readDate({ field: attribute, attribute }, text, () => undefined)
    : toUtc(text, clock);
  if (typeof read === 'string') return { ms: Date.parse(isDay ? read : `${read}Z`), isDay };
  throw badWhere(
    `'${printable(String(value))}' is not a valid time for attribute '${attribute}': use YYYY-MM-DD or YYYY-MM-DD HH:MM:SS.`,
  );
}

/** Converts to the value of a column of this kind. Times outside the API's range become infinite. */
export function toColumnTime(ms: number, kind: MomentKind): string {
  if (ms > LAST_MS) return 'infinity';
  if (ms < FIRST_MS) return '-infinity';
  const text = formatDateTime(ms);
  return kind === 'date' ? text.slice(0, 10) : text;
}

const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');
