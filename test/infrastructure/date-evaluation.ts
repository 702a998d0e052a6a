/** Months after January in which the tested fiscal year begins. */
export const fiscalYearShift = 4;

/** Evaluates a condition by the date that a clock in the time zone would show. */
export function holdsDate(
  type: string,
  wanted: unknown,
  {
    value,
    timeZone,
    now,
  }: { readonly value: string; readonly timeZone: string; readonly now: Date },
): boolean {
  const isTime = value.length === 19;
  const localDate = (at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone }).format(at);
  const own = isTime ? localDate(new Date(`${value.replace(' ', 'T')}Z`)) : value;
  const today = localDate(now);
  const utcNow = now.toISOString().slice(0, 19).replace('T', ' ');
  const shifted = (count: number) =>
    new Date(Date.parse(today) + count * 86_400_000).toISOString().slice(0, 10);
  // A wanted time is compared with the stored time, a wanted date with its local date.
  const side = (one: unknown) => (String(one).length === 19 ? value : own);
  const count = Number(wanted);
  const monthsAway = monthNumber(own) - monthNumber(today);
  const quartersAway = Math.floor(monthNumber(own) / 3) - Math.floor(monthNumber(today) / 3);
  const yearsAway = Number(own.slice(0, 4)) - Number(today.slice(0, 4));
  const fiscalAway = (months: number) =>
    Math.floor((monthNumber(own) - fiscalYearShift) / months) -
    Math.floor((monthNumber(today) - fiscalYearShift) / months);
  const outcomes: Readonly<Record<string, () => boolean>> = {
    on: () => side(wanted) === wanted,
    notOn: () => side(wanted) !== wanted,
    after: () => side(wanted) > String(wanted),
    before: () => side(wanted) < String(wanted),
    between() {
      const [low, high] = wanted as readonly string[];
      return side(low) >= String(low) && side(high) <= String(high);
    },
    today: () => own === today,
    past: () => (isTime ? value <= utcNow : own < today),
    future: () => (isTime ? value > utcNow : own > today),
    lastSevenDays: () => own >= shifted(-7) && (isTime ? value <= utcNow : own <= today),
    lastXDays: () => own >= shifted(-count) && (isTime ? value <= utcNow : own <= today),
    nextXDays: () => (isTime ? value >= utcNow : own >= today) && own <= shifted(count),
    olderThanXDays: () => own < shifted(-count),
    afterXDays: () => (isTime ? own >= shifted(count) : own > shifted(count)),
    currentMonth: () => monthsAway === 0,
    lastMonth: () => monthsAway === -1,
    nextMonth: () => monthsAway === 1,
    currentQuarter: () => quartersAway === 0,
    lastQuarter: () => quartersAway === -1,
    currentYear: () => yearsAway === 0,
    lastYear: () => yearsAway === -1,
    currentFiscalYear: () => fiscalAway(12) === 0,
    lastFiscalYear: () => fiscalAway(12) === -1,
    currentFiscalQuarter: () => fiscalAway(3) === 0,
    lastFiscalQuarter: () => fiscalAway(3) === -1,
  };
  const outcome = outcomes[type];
  if (outcome === undefined) throw new Error(`the evaluation does not support ${type}`);
  return outcome();
}

function monthNumber(date: string): number {
  return Number(date.slice(0, 4)) * 12 + Number(date.slice(5, 7)) - 1;
}
