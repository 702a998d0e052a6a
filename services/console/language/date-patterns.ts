import type { TimeSettings } from './time-settings.ts';

/** How days and times of day are written: `DD.MM.YYYY` and `HH:mm`. */
export interface DatePatterns {
  readonly day: string;
  readonly clock: string;
}

/** Returns the user's patterns, or else those of the locale. */
export function patternsOf(locale: string, settings: TimeSettings): DatePatterns {
  return {
    day: settings.dateFormat ?? dayPatternOf(locale),
    clock: settings.timeFormat ?? clockPatternOf(locale),
  };
}

const dayParts: Readonly<Record<string, string>> = { year: 'YYYY', month: 'MM', day: 'DD' };

function dayPatternOf(locale: string): string {
  const format = new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    timeZone: 'UTC',
  });
  return format
    .formatToParts(0)
    .map(({ type, value }) => dayParts[type] ?? value)
    .join('');
}

function clockPatternOf(locale: string): string {
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions();
  return hour12 === true ? 'h:mm A' : 'HH:mm';
}

/** Writes a day such as `2030-01-31`. */
export function writeDay(day: string, { day: pattern }: Pick<DatePatterns, 'day'>): string {
  const [year = '', month = '', date = ''] = day.split('-');
  return pattern.replaceAll(/YYYY|MM?|DD?/g, (part) => {
    if (part === 'YYYY') return year;
    const value = part.startsWith('M') ? month : date;
    return part.length === 2 ? value : String(Number(value));
  });
}

/** Writes a time of day such as `14:05` or `14:05:30`, which is written with its seconds. */
export function writeClock(clock: string, { clock: pattern }: Pick<DatePatterns, 'clock'>): string {
  const [hours = '0', ...rest] = clock.split(':');
  const hour = Number(hours);
  const ofHalf = hour % 12 === 0 ? 12 : hour % 12;
  const half = hour < 12 ? 'am' : 'pm';
  const padded = (value: number) => String(value).padStart(2, '0');
  const texts: Readonly<Record<string, string>> = {
    HH: padded(hour),
    H: String(hour),
    hh: padded(ofHalf),
    h: String(ofHalf),
    mm: rest.join(':'),
    a: half,
    A: half.toUpperCase(),
  };
  return pattern.replaceAll(/HH?|hh?|mm|[aA]/g, (part) => texts[part] ?? part);
}

/**
 * Reads a day that was typed in the order of the pattern, or as `2030-01-31`; undefined if it is not a day. Accepts any
 * separators, years of two digits, and days without a year, which are in the year of `today`.
 */
export function readDay(text: string, pattern: string, today: string): string | undefined {
  const typed = text.trim();
  const [, ...iso] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(typed) ?? [];
  if (iso.length > 0) return toDay(iso);
  const order = [...new Set(pattern.replaceAll(/[^YMD]/g, ''))];
  const numbers = splitDigits(typed, order) ?? splitNumbers(typed);
  if (numbers === undefined) return undefined;
  const named = numbers.length === 2 ? order.filter((part) => part !== 'Y') : order;
  const part = (name: string): string => numbers[named.indexOf(name)] ?? '';
  return toDay([named.includes('Y') ? part('Y') : today.slice(0, 4), part('M'), part('D')]);
}

function splitNumbers(text: string): readonly string[] | undefined {
  if (!/^\d+(?:[^\d\p{L}]{1,2}\d+){1,2}[^\d\p{L}]?$/u.test(text)) return undefined;
  return text.match(/\d+/g) ?? undefined;
}

/** Splits `31012030`. */
function splitDigits(text: string, order: readonly string[]): readonly string[] | undefined {
  if (!/^\d{8}$/.test(text)) return undefined;
  let rest = text;
  return order.map((part) => {
    const length = part === 'Y' ? 4 : 2;
    const value = rest.slice(0, length);
    rest = rest.slice(length);
    return value;
  });
}

function toDay([year = '', month = '', date = '']: readonly string[]): string | undefined {
  if (!/^(?:\d\d|\d{4})$/.test(year)) return undefined;
  const fullYear = year.length === 2 ? `20${year}` : year;
  const day = `${fullYear}-${month.padStart(2, '0')}-${date.padStart(2, '0')}`;
  const time = new Date(`${day}T00:00:00Z`);
  // Rejects days such as 31 February, which are read as days of the next month.
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day) ? day : undefined;
}

/** Reads a time of day such as `14:05`, `1405`, `2.05 pm` or `14`, as `14:05`; undefined if it is not one. */
export function readClock(text: string): string | undefined {
  const [, hours, minutes = '00', half] =
    /^(\d{1,2}?)(?:[:.h ]?(\d\d))?(?::\d\d)? ?(?:([ap])\.?m\.?)?$/i.exec(text.trim()) ?? [];
  if (hours === undefined) return undefined;
  const hour = Number(hours);
  if (half !== undefined && (hour < 1 || hour > 12)) return undefined;
  const ofDay = half === undefined ? hour : (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
  if (ofDay > 23 || Number(minutes) > 59) return undefined;
  return `${String(ofDay).padStart(2, '0')}:${minutes}`;
}

/**
 * Reads a day and a time of day that were typed in one text, as `2030-01-31T14:05`; undefined if they are not. Accepts
 * what readDay() and readClock() accept.
 */
export function readMoment(text: string, pattern: string, today: string): string | undefined {
  const typed = text.trim().replace(/^(\d{4}-\d{1,2}-\d{1,2})T/, '$1 ');
  // The day ends at one of the blanks: patterns such as `DD. MM. YYYY` contain some.
  for (const { index } of typed.matchAll(/[, ]+/g)) {
    const day = readDay(typed.slice(0, index), pattern, today);
    const clock = readClock(typed.slice(index).replace(/^[, ]+/, ''));
    const isWhole = day !== undefined && /\d{4}/.test(typed.slice(0, index));
    if (day !== undefined && clock !== undefined && (isWhole || !pattern.includes(' '))) {
      return `${day}T${clock}`;
    }
  }
  return undefined;
}
