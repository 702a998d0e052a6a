import { useMemo } from 'react';
import { useLocale } from '../../language/format.ts';
import type { Span } from './event-spans.ts';
import { dayOf, markerOf } from './zone-clock.ts';

/** Returns a function that writes the time of a span: `Fri, Jan 31, 2030, 10:00 – 11:00 AM`. */
export function useSpanText(): (span: Span) => string {
  const locale = useLocale();
  return useMemo(() => spanTextsOf(locale), [locale]);
}

export function spanTextsOf(locale: string): (span: Span) => string {
  const day = { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' } as const;
  // The clock has already converted the times.
  const timeZone = 'UTC';
  const days = new Intl.DateTimeFormat(locale, { ...day, timeZone });
  const times = new Intl.DateTimeFormat(locale, {
    ...day,
    hour: 'numeric',
    minute: '2-digit',
    timeZone,
  });
  return ({ isAllDay, start, end }) => {
    const last = isAllDay && end !== null ? dayOf(end, -1) : end;
    const format = isAllDay ? days : times;
    return format.formatRange(markerOf(start), markerOf(last ?? start));
  };
}
