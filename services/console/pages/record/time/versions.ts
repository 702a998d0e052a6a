import type { Version } from '../../../api/history.ts';

type Values = Readonly<Record<string, unknown>>;

/** Returns the record's values at a version by applying all changes up to it. `versions` must be in ascending order. */
export function valuesAt(versions: readonly Version[], version: number): Values {
  const values: Record<string, unknown> = {};
  for (const { changes } of versions.filter((one) => one.version <= version)) {
    for (const { attribute, after } of changes) values[attribute] = after;
  }
  return values;
}

export interface Difference {
  readonly attribute: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the attributes that differ, sorted by name. Null and absent values are equal. */
export function differences(before: Values, after: Values): readonly Difference[] {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names]
    .toSorted()
    .map((attribute) => ({
      attribute,
      before: before[attribute] ?? null,
      after: after[attribute] ?? null,
    }))
    .filter((one) => JSON.stringify(one.before) !== JSON.stringify(one.after));
}
