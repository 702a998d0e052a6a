import type { AttributeValues } from '../../../value/attribute-values.ts';
import { formatDateTime } from '../../../value/date-time.ts';
import type { FieldBase } from '../../field-base.ts';
import type { FieldType } from '../../field-type.ts';
import { valueAfter } from '../../value-after.ts';
import { compileInt } from '../number/number-settings.ts';

/** The number of seconds between two fields. */
export interface DurationField extends FieldBase<'duration', never> {
  /** The options and the default that clients show, in seconds. */
  readonly offered?: { readonly options: readonly number[]; readonly default: number };
  /** The fields between which the duration is measured. */
  readonly start?: string;
  readonly end?: string;
}

export const durationType: FieldType<DurationField> = {
  name: 'duration',
  parts: () => [{ kind: 'int' }],
  compileReader: (rule) => compileInt(rule, { min: 0 }),
  sources: ({ start, end }) => [start, end],
  describe: ({ offered }) => offered ?? {},
  deriveFromOthers(field, { start, end }, attributes) {
    if (start === undefined || end === undefined) return undefined;
    const mayBeDays = [start, end].every((name) => attributes.get(`${name}Date`)?.field === name);
    const names = { duration: field, start, end, mayBeDays };
    return (given, current, derived) => deriveDuration(names, given, { current, derived });
  },
};

interface Names {
  readonly duration: string;
  readonly start: string;
  readonly end: string;
  /** True if start and end can be whole days. */
  readonly mayBeDays: boolean;
}

/** The values being written, layered over the record's values. */
interface After {
  readonly current: AttributeValues | null;
  readonly derived: AttributeValues;
}

/**
 * Derives the seconds from start to end. A new duration without a new end sets the end; otherwise start and end determine
 * the duration. Whole days (`dateStartDate`) last until midnight after the last day.
 */
function deriveDuration(
  names: Names,
  given: AttributeValues,
  after: After,
): AttributeValues | null {
  const { duration, start, end } = names;
  const touched = [duration, start, `${start}Date`, end, `${end}Date`];
  if (!touched.some((name) => Object.hasOwn(given, name))) return null;
  const wanted = given[duration];
  const isEndGiven = typeof given[end] === 'string' || typeof given[`${end}Date`] === 'string';
  const from = momentOf(start, after, 0);
  if (typeof wanted === 'number' && !isEndGiven && from !== undefined) {
    return isDay(names, after) ? lastDayAfter(names, from, wanted) : endAfter(names, from, wanted);
  }
  const to = momentOf(end, after, DAY_MS);
  return { [duration]: from === undefined || to === undefined ? null : (to - from) / 1000 };
}

function endAfter(names: Names, from: number, seconds: number): AttributeValues {
  const { duration, end, mayBeDays } = names;
  const to = Math.min(from + seconds * 1000, LAST_MS);
  return {
    [duration]: (to - from) / 1000,
    [end]: formatDateTime(to),
    ...(mayBeDays ? { [`${end}Date`]: null } : {}),
  };
}

function lastDayAfter({ duration, end }: Names, from: number, seconds: number): AttributeValues {
  const days = Math.max(1, Math.ceil((seconds * 1000) / DAY_MS));
  const last = Math.min(from + (days - 1) * DAY_MS, LAST_MS);
  return {
    [duration]: days * (DAY_MS / 1000),
    [end]: null,
    [`${end}Date`]: formatDateTime(last).slice(0, 10),
  };
}

function isDay({ start, mayBeDays }: Names, { derived, current }: After): boolean {
  return mayBeDays && typeof valueAfter(`${start}Date`, derived, current) === 'string';
}

function momentOf(field: string, after: After, dayMs: number): number | undefined {
  const { derived, current } = after;
  const day = valueAfter(`${field}Date`, derived, current);
  if (typeof day === 'string') return Date.parse(`${day}T00:00:00Z`) + dayMs;
  const time = valueAfter(field, derived, current);
  return typeof time === 'string' ? Date.parse(`${time.replace(' ', 'T')}Z`) : undefined;
}

const DAY_MS = 86_400_000;
/** The latest time that the API's format can express. */
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');
