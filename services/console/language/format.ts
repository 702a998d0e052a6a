import { useMemo } from 'react';
import { writeClock, writeDay } from './date-patterns.ts';
import { useLanguage } from './language.tsx';
import { type TimeSettings, useTimeSettings } from './time-settings.ts';
import { clockIn, toLocalIso } from './zone-clock.ts';

/** Parses an API time such as `2030-01-31 10:00:00`, which is in UTC. */
export function parseTime(text: string): Date | undefined {
  const iso = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(text)
    ? `${text.replace(' ', 'T')}Z`
    : text;
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

export interface Format {
  /** Formats a time to the minute. */
  time(time: Date): string;
  /** Formats the time of day to the minute. */
  clock(time: Date): string;
  /** Formats a time to the second, for logs. */
  timeWithSeconds(time: Date): string;
  /** Formats a time to the second, with its day of the week and time zone. */
  exactTime(time: Date): string;
  /** Formats a time of the last seven days by its age: "2 hours ago". Other times are formatted to the minute. */
  age(time: Date, now: Date): string;
  /** Formats a day such as `2030-01-31`, without time zone conversion. */
  day(day: string): string;
  number(value: number): string;
  /** A number alone if the currency is unknown. `short` omits decimals of whole amounts, `compact` abbreviates thousands. */
  money(value: number, currency: string | undefined, style?: 'compact' | 'short'): string;
  /** Uses the largest unit in which the value is at least one. */
  duration(seconds: number): string;
  bytes(count: number): string;
}

/**
 * Formats numbers, days and times in the user's language, in the variant that the browser prefers (`en-GB`). Formats of
 * days and times and the time zone are those of the user's preferences, or else the browser's.
 */
export function useFormat(): Format {
  const locale = useLocale();
  const settings = useTimeSettings();
  return useMemo(() => formatOf(locale, settings), [locale, settings]);
}

/** Returns the user's language in the variant that the browser prefers. */
export function useLocale(): string {
  const { language } = useLanguage();
  return localeOf(language, navigator.languages);
}

/** Returns the first of the browser's locales in the language, or else the language itself. */
export function localeOf(language: string, preferred: readonly string[]): string {
  return preferred.find((name) => name.split('-', 1)[0] === language) ?? language;
}

export function formatOf(language: string, settings: TimeSettings = {}): Format {
  const { day, time, clock, timeWithSeconds, exactTime } = formatOfTimes(language, settings);
  const ages = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 10 });
  return {
    day,
    time,
    clock,
    timeWithSeconds,
    exactTime,
    age(past, now) {
      const seconds = Math.floor((now.getTime() - past.getTime()) / 1000);
      // The clocks of server and browser may differ by some seconds.
      if (seconds < -60 || seconds >= 7 * 86_400) return time(past);
      const [size, unit] = ageUnits.find(([min]) => seconds >= min) ?? [60, 'second'];
      return ages.format(unit === 'second' ? 0 : -Math.floor(seconds / size), unit);
    },
    number: (value) => numbers.format(value),
    money(value, currency, style) {
      const options = style === undefined ? {} : moneyStyles[style];
      if (currency === undefined) return numbers.format(value);
      try {
        const money = { style: 'currency', currency, ...options } as const;
        return new Intl.NumberFormat(language, money).format(value);
      } catch {
        // Not an ISO 4217 code: Intl rejects custom currencies unless they have three letters.
        return `${numbers.format(value)} ${currency}`;
      }
    },
    duration: (seconds) => inUnit(seconds, timeUnits, language),
    bytes: (count) => inUnit(count, byteUnits, language),
  };
}

const moneyStyles = {
  short: { trailingZeroDisplay: 'stripIfInteger' },
  compact: { notation: 'compact', maximumFractionDigits: 1, trailingZeroDisplay: 'stripIfInteger' },
} as const;

function formatOfTimes(language: string, { dateFormat, timeFormat, timeZone }: TimeSettings) {
  const inZone = timeZone === undefined ? {} : { timeZone };
  const local = timeZone === undefined ? toLocalIso : clockIn(timeZone);
  const intl = (options: Intl.DateTimeFormatOptions) => {
    const format = new Intl.DateTimeFormat(language, { ...inZone, ...options });
    return (time: Date): string => format.format(time);
  };
  const dayOf =
    dateFormat === undefined
      ? intl({ dateStyle: 'medium' })
      : (time: Date) => writeDay(local(time).slice(0, 10), { day: dateFormat });
  const clockOf = (style: 'short' | 'medium') =>
    timeFormat === undefined
      ? intl({ timeStyle: style })
      : (time: Date) =>
          writeClock(local(time).slice(11, style === 'short' ? 16 : 19), { clock: timeFormat });
  const [clock, clockWithSeconds] = [clockOf('short'), clockOf('medium')];
  const days = intl({ dateStyle: 'medium', timeZone: 'UTC' });
  return {
    time: (time: Date) => `${dayOf(time)}, ${clock(time)}`,
    clock,
    timeWithSeconds: (time: Date) => `${dayOf(time)}, ${clockWithSeconds(time)}`,
    exactTime: intl({ dateStyle: 'full', timeStyle: 'long' }),
    day(text: string): string {
      const day = new Date(`${text}T00:00:00Z`);
      if (Number.isNaN(day.getTime())) return text;
      return dateFormat === undefined ? days(day) : writeDay(text, { day: dateFormat });
    },
  };
}

const ageUnits = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const;

type Unit = readonly [size: number, name: string];
const timeUnits: readonly Unit[] = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
  [1, 'second'],
];
/** Powers of 1024, like the command-line tools and the findings of doctor. */
const byteUnits: readonly Unit[] = [
  [2 ** 40, 'terabyte'],
  [2 ** 30, 'gigabyte'],
  [2 ** 20, 'megabyte'],
  [2 ** 10, 'kilobyte'],
  [1, 'byte'],
];

function inUnit(value: number, units: readonly Unit[], language: string): string {
  const [size, unit] = units.find(([min]) => value >= min) ?? [1, units.at(-1)?.[1]];
  const options = { style: 'unit', unit, maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, options as Intl.NumberFormatOptions).format(value / size);
}
