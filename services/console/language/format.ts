import { useMemo } from 'react';
import { useLanguage } from './language.tsx';

/** `2030-01-31 10:00:00` in UTC, as the API writes times. */
export function parseTime(text: string): Date | undefined {
  const iso = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d+)?$/.test(text)
    ? `${text.replace(' ', 'T')}Z`
    : text;
  const time = new Date(iso);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

export interface Format {
  time(time: Date): string;
  /** Days have no time zone. */
  day(day: string): string;
  number(value: number): string;
  money(value: number, currency: string): string;
}

/** Numbers, days and times as the user's language writes them, times in their time zone. */
export function useFormat(): Format {
  const { language } = useLanguage();
  return useMemo(() => formatOf(language), [language]);
}

function formatOf(language: string): Format {
  const times = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
  const days = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  const numbers = new Intl.NumberFormat(language, { maximumFractionDigits: 10 });
  return {
    time: (time) => times.format(time),
    day(text) {
      const day = new Date(`${text}T00:00:00Z`);
      return Number.isNaN(day.getTime()) ? text : days.format(day);
    },
    number: (value) => numbers.format(value),
    money(value, currency) {
      try {
        return new Intl.NumberFormat(language, { style: 'currency', currency }).format(value);
      } catch {
        // Of its own making: no three letters.
        return `${numbers.format(value)} ${currency}`;
      }
    },
  };
}
