import { readDate, readDateTime } from '../../domain/field/types/time/read-date-time.ts';
import { printable } from '../../domain/printable.ts';
import { formatDateTime } from '../../domain/value/date-time.ts';
import type { WhereContext } from './where-context.ts';
import { badWhere, requireTwo, type WhereItem } from './where-item.ts';

/** The parts of SQL for a condition on a date or time. */
export interface DateContext
  extends Pick<WhereContext, 'binder' | 'now' | 'timeZone' | 'fiscalYearShift'> {
  /** SQL of the column. */
  readonly column: string;
  readonly kind: 'date' | 'datetime';
  readonly attribute: string;
}

type Writer = (item: WhereItem, sql: Dates) => string;

/** Undefined for other types of conditions. */
export function dateCondition(item: WhereItem, context: DateContext): string | undefined {
  const write = Object.hasOwn(writers, item.type) ? writers[item.type] : undefined;
  return write?.(item, new Dates(item, context));
}

const MAX_DAYS = 36_500;

/** SQL for days, and for the times at which they begin, within one condition. */
class Dates {
  private readonly context: DateContext;
  private readonly zoneName: string;
  // Bound on first use: Postgres refuses parameters that a statement does not use.
  private boundZone: string | undefined;
  private boundMoment: string | undefined;
  readonly isTime: boolean;
  readonly column: string;

  constructor({ timeZone }: WhereItem, context: DateContext) {
    this.context = context;
    this.column = context.column;
    this.isTime = context.kind === 'datetime';
    this.zoneName = timeZone ?? context.timeZone;
  }

  now(): string {
    const { binder, now } = this.context;
    this.boundMoment ??= `${binder.bind(formatDateTime(now))}::timestamp`;
    return this.boundMoment;
  }

  private zone(): string {
    this.boundZone ??= `${this.context.binder.bind(this.zoneName)}::text`;
    return this.boundZone;
  }

  today(): string {
    return `((${this.now()} at time zone 'UTC') at time zone ${this.zone()})::date`;
  }

  /** A day in the form of the column: a date, or the time in UTC at which the day begins in the time zone. */
  startOf(day: string): string {
    return this.isTime
      ? `((${day})::timestamp at time zone ${this.zone()}) at time zone 'UTC'`
      : `(${day})::date`;
  }

  /** From the beginning of one day up to the beginning of another. */
  within(from: string, to: string): string {
    return `(${this.column} >= ${this.startOf(from)} and ${this.column} < ${this.startOf(to)})`;
  }

  /** A day that the client gave. */
  day(text: string): string {
    return `${this.context.binder.bind(text)}::date`;
  }

  time(text: string): string {
    return `${this.context.binder.bind(text)}::timestamp`;
  }

  fiscalShift(): string {
    return `make_interval(months => ${this.context.binder.bind(this.context.fiscalYearShift)}::int)`;
  }

  /** A day or a time that the client gave. */
  given(value: unknown): { readonly text: string; readonly isDay: boolean } {
    const text = String(value ?? '');
    const isDay = !this.isTime || /^\d{4}-\d\d-\d\d$/.test(text);
    const read = isDay ? readDate : readDateTime;
    const { attribute } = this.context;
    const found = read({ field: attribute, attribute }, text, () => {
      throw badWhere(`'${printable(text)}' is no time for attribute '${attribute}'.`);
    });
    if (typeof found !== 'string') throw badWhere(`A condition on '${attribute}' needs a value.`);
    return { text: found, isDay };
  }

  days(value: unknown): string {
    const days = Number(value);
    if (!Number.isInteger(days) || days < 0 || days > MAX_DAYS) {
      throw badWhere(`The number of days has to be an integer from 0 to ${MAX_DAYS}.`);
    }
    return String(days);
  }

  /** A period of the calendar that contains today, shifted by `steps` periods. */
  span(unit: 'month' | 'quarter' | 'year', steps: number, isFiscal = false): string {
    const shift = isFiscal ? this.fiscalShift() : undefined;
    const base = shift === undefined ? this.today() : `(${this.today()} - ${shift})`;
    const start = `date_trunc('${unit}', ${base})`;
    const length = unit === 'quarter' ? '3 months' : `1 ${unit}`;
    const back = shift === undefined ? '' : ` + ${shift}`;
    const at = (step: number) => `(${start} + ${step} * interval '${length}'${back})::date`;
    return this.within(at(steps), at(steps + 1));
  }
}

const writers: Readonly<Record<string, Writer>> = {
  today: (_item, sql) => sql.within(sql.today(), `${sql.today()} + 1`),
  past: (_item, sql) =>
    sql.isTime ? `${sql.column} <= ${sql.now()}` : `${sql.column} < ${sql.today()}`,
  future: (_item, sql) =>
    sql.isTime ? `${sql.column} > ${sql.now()}` : `${sql.column} > ${sql.today()}`,
  lastSevenDays: (_item, sql) => lastDays('7', sql),
  lastXDays: ({ value }, sql) => lastDays(sql.days(value), sql),
  nextXDays({ value }, sql) {
    const end = `${sql.today()} + ${sql.days(value)} + 1`;
    return sql.isTime
      ? `(${sql.column} >= ${sql.now()} and ${sql.column} < ${sql.startOf(end)})`
      : sql.within(sql.today(), end);
  },
  olderThanXDays: ({ value }, sql) =>
    `${sql.column} < ${sql.startOf(`${sql.today()} - ${sql.days(value)}`)}`,
  afterXDays: ({ value }, sql) =>
    `${sql.column} ${sql.isTime ? '>=' : '>'} ${sql.startOf(`${sql.today()} + ${sql.days(value)}`)}`,
  on: ({ value }, sql) => onDay(value, sql),
  notOn: ({ value }, sql) => `not ${onDay(value, sql)}`,
  after({ value }, sql) {
    const { text, isDay } = sql.given(value);
    if (!isDay) return `${sql.column} > ${sql.time(text)}`;
    return `${sql.column} >= ${sql.startOf(`${sql.day(text)} + 1`)}`;
  },
  before({ value }, sql) {
    const { text, isDay } = sql.given(value);
    return `${sql.column} < ${isDay ? sql.startOf(sql.day(text)) : sql.time(text)}`;
  },
  between(item, sql) {
    const [first, last] = requireTwo(item);
    const from = sql.given(first);
    const to = sql.given(last);
    const start = from.isDay ? sql.startOf(sql.day(from.text)) : sql.time(from.text);
    const end = to.isDay
      ? `< ${sql.startOf(`${sql.day(to.text)} + 1`)}`
      : `<= ${sql.time(to.text)}`;
    return `(${sql.column} >= ${start} and ${sql.column} ${end})`;
  },
  currentMonth: (_item, sql) => sql.span('month', 0),
  lastMonth: (_item, sql) => sql.span('month', -1),
  nextMonth: (_item, sql) => sql.span('month', 1),
  currentQuarter: (_item, sql) => sql.span('quarter', 0),
  lastQuarter: (_item, sql) => sql.span('quarter', -1),
  currentYear: (_item, sql) => sql.span('year', 0),
  lastYear: (_item, sql) => sql.span('year', -1),
  currentFiscalYear: (_item, sql) => sql.span('year', 0, true),
  lastFiscalYear: (_item, sql) => sql.span('year', -1, true),
  currentFiscalQuarter: (_item, sql) => sql.span('quarter', 0, true),
  lastFiscalQuarter: (_item, sql) => sql.span('quarter', -1, true),
};

/** Types of conditions on dates and times. */
export const dateConditionTypes: readonly string[] = Object.keys(writers);

function lastDays(days: string, sql: Dates): string {
  const start = `${sql.today()} - ${days}`;
  return sql.isTime
    ? `(${sql.column} >= ${sql.startOf(start)} and ${sql.column} <= ${sql.now()})`
    : sql.within(start, `${sql.today()} + 1`);
}

function onDay(value: unknown, sql: Dates): string {
  const { text, isDay } = sql.given(value);
  if (!isDay) return `(${sql.column} = ${sql.time(text)})`;
  return sql.within(sql.day(text), `${sql.day(text)} + 1`);
}
