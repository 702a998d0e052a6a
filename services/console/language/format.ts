import { useMemo } from 'react';
import { useLanguage } from './language.tsx';

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
  /** Formats a time to the second, for logs. */
  timeWithSeconds(time: Date): string;
  /** Formats a time to the second, with its day of the week and time zone. */
  exactTime(time: Date): string;
  /** Formats a time of the last seven days by its age: "2 hours ago". Other times are formatted to the minute. */
  age(time: Date, now: Date): string;
  /** Formats a day such as `2030-01-31`, without time zone conversion. */
  day(day: string): string;
  number(value: number): string;
  money(value: number, currency: string): string;
  /** Uses the largest unit in which the value is at least one. */
  duration(seconds: number): string;
  bytes(count: number): string;
}

/**
 * Formats numbers, days and times in the user's language, in the variant that the browser prefers (`en-GB`). Times are
 * in the browser's time zone.
 */
export function useFormat(): Format {
  const { language } = useLanguage();
  return useMemo(() => formatOf(localeOf(language, navigator.languages)), [language]);
}

/** Returns the first of the browser's locales in the language, or else the language itself. */
export function localeOf(language: string, preferred: readonly string[]): string {
  return preferred.find((name) => name.split('-', 1)[0] === language) ?? language;
}

export function formatOf(language: string): Format {
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  const timesWithSeconds = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'medium',
  });
  const exactTimes = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeStyle: 'long' });
  const ages = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 10 });
  return {
    time: (time) => times.format(time),
    timeWithSeconds: (time) => timesWithSeconds.format(time),
    exactTime: (time) => exactTimes.format(time),
    age(time, now) {
      const seconds = Math.floor((now.getTime() - time.getTime()) / 1000);
      // The clocks of server and browser may differ by some seconds.
      if (seconds < -60 || seconds >= 7 * 86_400) return times.format(time);
      const [size, unit] = ageUnits.find(([min]) => seconds >= min) ?? [60, 'second'];
      return ages.format(unit === 'second' ? 0 : -Math.floor(seconds / size), unit);
    },
    day(text) {
      const day = new Date(`${text}T00:00:00Z`);
      return Number.isNaN(day.getTime()) ? text : days.format(day);
    },
    number: (value) => numbers.format(value),
    money(value, currency) {
      try {
        return new Intl.NumberFormat(language, { style: 'currency', currency }).format(value);
      } catch {
        // Not an ISO 4217 code: Intl rejects custom currencies unless they have three letters.
        return `${numbers.format(value)} ${currency}`;
      }
    },
    duration: (seconds) => inUnit(seconds, timeUnits, language),
    bytes: (count) => inUnit(count, byteUnits, language),
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
