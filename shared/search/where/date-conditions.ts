import { createLocalClock, type LocalClock } from '../../domain/value/date-time.ts';
import { type Moment, type MomentKind, readMoment, toColumnTime } from './read-moment.ts';
import type { WhereContext } from './where-context.ts';
import { badWhere, requireTwo, type WhereItem } from './where-item.ts';

/** The SQL parts of a condition on a date or time. */
interface DateContext
  extends Pick<WhereContext, 'binder' | 'now' | 'timeZone' | 'fiscalYearShift'> {
  /** The SQL expression of the column. */
  readonly column: string;
  readonly kind: MomentKind;
  readonly attribute: string;
}

type Writer = (item: WhereItem, sql: Dates) => string;

/** Returns undefined for other types of conditions. */
export function dateCondition(item: WhereItem, context: DateContext): string | undefined {
  const write = Object.hasOwn(writers, item.type) ? writers[item.type] : undefined;
  return write?.(item, new Dates(item, context));
}

const MAX_DAYS = 36_500;
const DAY_MS = 86_400_000;

/**
 * SQL for days and times within one condition. Days are given as their start in UTC, in ms since 1970. Local times are
 * converted here, because Postgres would choose the later UTC time if the clock shows a local time twice.
 */
class Dates {
  private readonly context: DateContext;
  private readonly given: LocalClock | undefined;
  // Created on first use, because most conditions use UTC times, and creating a clock is slow.
  private used: LocalClock | undefined;
  readonly isTime: boolean;
  readonly column: string;

  constructor({ clock }: WhereItem, context: DateContext) {
    this.context = context;
    this.column = context.column;
    this.isTime = context.kind === 'datetime';
    this.given = clock;
    this.used = clock;
  }

  private get clock(): LocalClock {
    this.used ??= createLocalClock(this.context.timeZone);
    return this.used;
  }

  now(): string {
    return this.time(this.context.now);
  }

  today(): number {
    return this.clock.dayAt(this.context.now);
  }

  /** Returns a day in the form of the column: a date, or the UTC time at which the day begins in the time zone. */
  startOf(day: number): string {
    return this.time(this.isTime ? this.clock.toUtc(day) : day);
  }

  /** Returns SQL for times from the start of one day (inclusive) to the start of another (exclusive). */
  within(from: number, to: number): string {
    return `(${this.column} >= ${this.startOf(from)} and ${this.column} < ${this.startOf(to)})`;
  }

  time(ms: number): string {
    const { binder, kind } = this.context;
    return `${binder.bind(toColumnTime(ms, kind))}::${this.isTime ? 'timestamp' : 'date'}`;
  }

  moment(value: unknown): Moment {
    return readMoment(value, { ...this.context, clock: this.given });
  }

  days(value: unknown): number {
    const days = Number(value);
    if (!Number.isInteger(days) || days < 0 || days > MAX_DAYS) {
      throw badWhere(`The number of days must be an integer from 0 to ${MAX_DAYS}.`);
    }
    return days * DAY_MS;
  }

  /** Returns SQL for the calendar period of `months` months that contains today, shifted by `steps` periods. */
  span(months: 1 | 3 | 12, steps: number, isFiscal = false): string {
    const today = new Date(this.today());
    const shift = isFiscal ? this.context.fiscalYearShift : 0;
    const month = today.getUTCFullYear() * 12 + today.getUTCMonth() - shift;
    const at = (step: number) => {
      const first = (Math.floor(month / months) + step) * months + shift;
      return Date.UTC(Math.floor(first / 12), first % 12);
    };
    return this.within(at(steps), at(steps + 1));
  }
}

const writers: Readonly<Record<string, Writer>> = {
  today: (_item, sql) => sql.within(sql.today(), sql.today() + DAY_MS),
  past: (_item, sql) =>
    sql.isTime ? `${sql.column} <= ${sql.now()}` : `${sql.column} < ${sql.startOf(sql.today())}`,
  future: (_item, sql) =>
    sql.isTime ? `${sql.column} > ${sql.now()}` : `${sql.column} > ${sql.startOf(sql.today())}`,
  lastSevenDays: (_item, sql) => lastDays(sql.days(7), sql),
  lastXDays: ({ value }, sql) => lastDays(sql.days(value), sql),
  nextXDays({ value }, sql) {
    const end = sql.today() + sql.days(value) + DAY_MS;
    return sql.isTime
      ? `(${sql.column} >= ${sql.now()} and ${sql.column} < ${sql.startOf(end)})`
      : sql.within(sql.today(), end);
  },
  olderThanXDays: ({ value }, sql) =>
    `${sql.column} < ${sql.startOf(sql.today() - sql.days(value))}`,
  afterXDays: ({ value }, sql) =>
    `${sql.column} ${sql.isTime ? '>=' : '>'} ${sql.startOf(sql.today() + sql.days(value))}`,
  on: ({ value }, sql) => onDay(value, sql),
  notOn: ({ value }, sql) => `not ${onDay(value, sql)}`,
  after({ value }, sql) {
    const { ms, isDay } = sql.moment(value);
    return isDay
      ? `${sql.column} >= ${sql.startOf(ms + DAY_MS)}`
      : `${sql.column} > ${sql.time(ms)}`;
  },
  before({ value }, sql) {
    const { ms, isDay } = sql.moment(value);
    return `${sql.column} < ${isDay ? sql.startOf(ms) : sql.time(ms)}`;
  },
  between(item, sql) {
    const [first, last] = requireTwo(item);
    const from = sql.moment(first);
    const to = sql.moment(last);
    const start = from.isDay ? sql.startOf(from.ms) : sql.time(from.ms);
    const end = to.isDay ? `< ${sql.startOf(to.ms + DAY_MS)}` : `<= ${sql.time(to.ms)}`;
    return `(${sql.column} >= ${start} and ${sql.column} ${end})`;
  },
  currentMonth: (_item, sql) => sql.span(1, 0),
  lastMonth: (_item, sql) => sql.span(1, -1),
  nextMonth: (_item, sql) => sql.span(1, 1),
  currentQuarter: (_item, sql) => sql.span(3, 0),
  lastQuarter: (_item, sql) => sql.span(3, -1),
  currentYear: (_item, sql) => sql.span(12, 0),
  lastYear: (_item, sql) => sql.span(12, -1),
  currentFiscalYear: (_item, sql) => sql.span(12, 0, true),
  lastFiscalYear: (_item, sql) => sql.span(12, -1, true),
  currentFiscalQuarter: (_item, sql) => sql.span(3, 0, true),
  lastFiscalQuarter: (_item, sql) => sql.span(3, -1, true),
};

/** The types of conditions on dates and times. */
export const dateConditionTypes: readonly string[] = Object.keys(writers);

function lastDays(days: number, sql: Dates): string {
  const start = sql.today() - days;
  return sql.isTime
    ? `(${sql.column} >= ${sql.startOf(start)} and ${sql.column} <= ${sql.now()})`
    : sql.within(start, sql.today() + DAY_MS);
}

function onDay(value: unknown, sql: Dates): string {
  const { ms, isDay } = sql.moment(value);
  return isDay ? sql.within(ms, ms + DAY_MS) : `(${sql.column} = ${sql.time(ms)})`;
}
