/** One difference between Postgres and the log. */
export interface Difference {
  readonly table: string;
  /** Key of the row. */
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

  /** Adds one unless both are the same, whatever the order of keys in objects. */
  compare(difference: Difference): void {
    if (toComparable(difference.expected) !== toComparable(difference.found)) this.add(difference);
  }
}

function toComparable(value: unknown): string {
  return JSON.stringify(value ?? null, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)),
        )
      : inner,
  );
}
