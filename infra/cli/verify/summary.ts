import type { Buckets } from './buckets.ts';
import type { LogDigest } from './digest-log.ts';
import type { TablesDigest } from './digest-tables.ts';
import type { ExpectedRecords } from './expect-records.ts';
import type { QuarantinedRecord } from './load-rejected.ts';

/** Summarizes the log from its digest, and more precisely from the buckets that were folded. */
export class Summary {
  /** Number of buckets that were folded. */
  buckets = 0;
  readonly #log: LogDigest;
  /** Number of records in the history, by bucket. */
  readonly #inHistory: Uint32Array;
  readonly #corrections = new Map<string, number>();
  readonly #impossible = new Set<string>();
  readonly #held = new Set<string>();
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
    for (const place of expected.held) this.#held.add(place);
    this.#quarantined.push(...expected.quarantined);
    for (const [key, change] of expected.corrections)
      this.#corrections.set(key, (this.#corrections.get(key) ?? 0) + change);
  }

  /** Returns live records by `Type/partition`, and the keys that may have no row. */
  counts() {
    const counts = new Map(
      [...this.#log.counts].map(([key, live]) => [key, live + (this.#corrections.get(key) ?? 0)]),
    );
    // A type whose records are all quarantined was never counted.
    const optional = new Set([...this.#corrections.keys()].filter((key) => counts.get(key) === 0));
    return { counts, optional };
  }

  /** As `topic/partition/offset`. */
  rejected(): ReadonlySet<string> {
    return this.#log.rejected.union(this.#impossible).union(this.#held);
  }

  totals() {
    const quarantined = this.#quarantined;
    return {
      events: sum(this.#log.events.items) - this.#impossible.size,
      records: this.#records,
      ...(quarantined.length > 0 && { quarantined }),
    };
  }
}

function sum(numbers: Uint32Array): number {
  return numbers.reduce((total, number) => total + number, 0);
}
