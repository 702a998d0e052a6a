import type { Buckets } from './buckets.ts';
import type { compareRest } from './compare-tables.ts';
import type { LogDigest } from './digest-log.ts';
import type { TablesDigest } from './digest-tables.ts';
import type { ExpectedRecords, QuarantinedRecord } from './expect-records.ts';

/** What the log says, from its digest, and more precisely from the buckets that were folded. */
export class Summary {
  /** Number of buckets that were folded. */
  buckets = 0;
  readonly #log: LogDigest;
  /** Number of records in the history, by bucket. */
  readonly #inHistory: Uint32Array;
  readonly #corrections = new Map<string, number>();
  readonly #impossible = new Set<string>();
  readonly #quarantined: QuarantinedRecord[] = [];
  #records: number;

  constructor(log: LogDigest, { records }: TablesDigest) {
    this.#log = log;
    this.#records = sum(records);
    this.#inHistory = records;
  }

  add(buckets: Buckets, expected: ExpectedRecords): void {
    this.buckets += buckets.size;
    for (const bucket of buckets) this.#records -= this.#inHistory[bucket] ?? 0;
    this.#records += expected.records.size;
    for (const place of expected.impossible) this.#impossible.add(place);
    this.#quarantined.push(...expected.quarantined.values());
    for (const [key, change] of expected.corrections)
      this.#corrections.set(key, (this.#corrections.get(key) ?? 0) + change);
  }

  /** The expected data that is not about one record. */
  rest(): Parameters<typeof compareRest>[1] {
    const { counts, folds, rejected } = this.#log;
    const corrected = new Map(
      [...counts].map(([key, live]) => [key, live + (this.#corrections.get(key) ?? 0)]),
    );
    const places = this.#quarantined.flatMap(({ entries }) => entries);
    return {
      counts: corrected,
      // A type whose records are all quarantined was never counted.
      optionalCounts: new Set(
        [...this.#corrections.keys()].filter((key) => corrected.get(key) === 0),
      ),
      folds,
      rejected: rejected.union(this.#impossible).union(new Set(places)),
    };
  }

  totals() {
    const quarantined = this.#quarantined;
    const entries = quarantined.reduce((total, one) => total + one.entries.length, 0);
    return {
      events: sum(this.#log.events.items) - this.#impossible.size - entries,
      records: this.#records,
      ...(quarantined.length > 0 && { quarantined }),
    };
  }
}

function sum(numbers: Uint32Array): number {
  return numbers.reduce((total, number) => total + number, 0);
}
