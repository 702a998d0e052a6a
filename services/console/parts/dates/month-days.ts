const DAY_MS = 86_400_000;

/** Returns the day some days later, or earlier if negative. */
export function shiftDay(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Returns the same day some months later, or else the last day of that month. */
export function shiftMonth(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0));
  const found = new Date(Date.UTC(year, month - 1 + months, Math.min(date, last.getUTCDate())));
  return found.toISOString().slice(0, 10);
}

/** Returns the weeks that include days of the month, each with seven days. `month` is any of its days. */
export function weeksOf(month: string, weekStart: number): readonly (readonly string[])[] {
  const first = `${month.slice(0, 7)}-01`;
  const next = shiftMonth(first, 1);
  const weeks: (readonly string[])[] = [];
  for (let day = startOfWeek(first, weekStart); day < next; day = shiftDay(day, 7)) {
    const start = day;
    weeks.push(Array.from({ length: 7 }, (_, index) => shiftDay(start, index)));
  }
  return weeks;
}

/** Returns the first day of the week that includes the day. */
export function startOfWeek(day: string, weekStart: number): string {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return shiftDay(day, -((weekday - weekStart + 7) % 7));
}

/** Returns the first day of the week, from 0 (Sunday) to 6, where a language is spoken. */
export function weekStartOf(locale: string): number {
  // Firefox has no week data.
  const { firstDay } = Object(Object(new Intl.Locale(locale)).getWeekInfo?.());
  if (typeof firstDay === 'number') return firstDay % 7;
  return new Intl.Locale(locale).maximize().region === 'US' ? 0 : 1;
}
