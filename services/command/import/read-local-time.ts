import { Refusal } from '../../../shared/domain/errors.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { createLocalClock, type LocalClock } from '../../../shared/domain/value/date-time.ts';

/** How a file writes dates and times. */
export interface TimeFormats {
  readonly dateFormat: string;
  readonly timeFormat: string;
  readonly timeZone: string;
}

const parts: Readonly<Record<string, string>> = {
  YYYY: '(?<year>\\d{4})',
  MM: '(?<month>\\d{1,2})',
  DD: '(?<day>\\d{1,2})',
  HH: '(?<hour>\\d{1,2})',
  hh: '(?<hour>\\d{1,2})',
  mm: '(?<minute>\\d{2})',
  ss: '(?<second>\\d{2})',
  a: '(?<half>[ap]\\.?m\\.?)',
  A: '(?<half>[ap]\\.?m\\.?)',
};
const token = /YYYY|MM|DD|HH|hh|mm|ss|[aA]/g;
const MAX_LENGTH = 40;

/** Rejects a format that repeats a part or has other letters. */
export function requireDateFormat(name: string, format: string): string {
  const rest = format.replace(token, '');
  const hasPart = rest.length < format.length && !repeatsPart(format);
  if (hasPart && !/[A-Za-z0-9]/.test(rest) && format.length <= MAX_LENGTH) return format;
  const message = `'${name}' must consist of YYYY, MM, DD, HH or hh, mm, ss and a, not '${printable(format)}'.`;
  throw new Refusal('invalid', 'import.body', message);
}

/** Returns whether a part, such as the hour, is in a format twice. */
export function repeatsPart(format: string): boolean {
  const found = format.match(token) ?? [];
  return new Set(found.map((one) => parts[one])).size < found.length;
}

/** Converts dates and times in a file to the format of the API. Returns any other text unchanged: the field rejects it. */
export interface LocalTimes {
  readonly date: (text: string) => string;
  readonly dateTime: (text: string) => string;
}

export function createLocalTimes(plan: TimeFormats): LocalTimes {
  const clock = createLocalClock(plan.timeZone);
  const day = toPattern(plan.dateFormat);
  const moment = toPattern(`${plan.dateFormat} ${plan.timeFormat}`);
  return {
    date: (text) => toDate(day.exec(text)?.groups) ?? text,
    dateTime: (text) => toDateTime(moment.exec(text)?.groups, clock) ?? text,
  };
}

function toPattern(format: string): RegExp {
  const escaped = format.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&').replaceAll(/\s+/g, '\\s+');
  return new RegExp(`^\\s*${escaped.replace(token, (one) => parts[one] ?? one)}\\s*$`, 'i');
}

type Groups = Readonly<Record<string, string | undefined>> | undefined;

function toDate(groups: Groups): string | undefined {
  if (groups === undefined) return undefined;
  const { year, month, day } = groups;
  if (year === undefined || month === undefined || day === undefined) return undefined;
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

/** Files often omit the seconds. */
function toDateTime(groups: Groups, clock: LocalClock): string | undefined {
  const date = toDate(groups);
  if (groups === undefined || date === undefined) return undefined;
  const { hour = '0', minute = '00', second = '00', half } = groups;
  const isLate = half?.toLowerCase().startsWith('p') === true;
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isLate ? 12 : 0);
  const local = Date.parse(`${date}T${String(hours).padStart(2, '0')}:${minute}:${second}Z`);
  if (Number.isNaN(local)) return undefined;
  return new Date(clock.toUtc(local)).toISOString().slice(0, 19).replace('T', ' ');
}
