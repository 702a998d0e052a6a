import { isDeepStrictEqual } from 'node:util';
import { isObject } from '../../../shared/domain/value/attribute-values.ts';

/** One difference between Postgres and the log. */
export interface Difference {
  readonly table: string;
  /** The key of the row. */
  readonly key: string;
  readonly column: string;
  readonly expected: unknown;
  readonly found: unknown;
}

const KEPT = 100;

/** Counts all differences, and keeps the first hundred. */
export class Differences {
  readonly list: Difference[] = [];
  total = 0;

  add(difference: Difference): void {
    this.total += 1;
    if (this.list.length < KEPT) this.list.push(difference);
  }

  compare(difference: Difference): void {
    if (!isSameValue(difference.expected, difference.found)) this.add(difference);
  }

  /** Returns true if further differences are counted but not kept. */
  isFull(): boolean {
    return this.total >= KEPT;
  }
}

/** Returns whether both values are the same, ignoring the order of keys in objects. undefined equals null. */
export function isSameValue(one: unknown, other: unknown): boolean {
  return (
    (one ?? null) === (other ?? null) ||
    isDeepStrictEqual(one, other) ||
    toComparable(one) === toComparable(other)
  );
}

function toComparable(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    isObject(inner)
      ? Object.fromEntries(
          Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : inner,
  );
}
