import { hash } from 'node:crypto';

/** A record's bucket consists of the first hexadecimal digits of an MD5 hash, which Postgres can compute as well. */
const DIGITS = 3;
export const bucketCount = 16 ** DIGITS;

export function bucketOf(entityType: string, id: string): number {
  return Number.parseInt(hash('md5', `${entityType}/${id}`).slice(0, DIGITS), 16);
}

export type Buckets = ReadonlySet<number>;

/** Selects the records to compare. */
export interface RecordFilter {
  has(entityType: string, id: string): boolean;
  /**
   * Returns an SQL condition that is true for all of these records, and possibly for others. The arguments are SQL
   * expressions.
   */
  sql(entityType: string, id: string): string;
}

export function recordsIn(buckets: Buckets): RecordFilter {
  return {
    has: (entityType, id) => buckets.has(bucketOf(entityType, id)),
    sql: (entityType, id) => inBuckets(buckets, entityType, id),
  };
}

/** Returns an SQL expression for the digits of the bucket. `entityType` and `id` are SQL expressions. */
export function bucketInSql(entityType: string, id: string): string {
  return `left(md5(${entityType} || '/' || ${id}), ${DIGITS})`;
}

/** Returns an SQL condition that is true for the records in these buckets. */
export function inBuckets(buckets: Buckets, entityType: string, id: string): string {
  if (buckets.size === bucketCount) return 'true';
  const names = [...buckets].map((bucket) => `'${bucket.toString(16).padStart(DIGITS, '0')}'`);
  return `${bucketInSql(entityType, id)} in (${names.join(', ') || 'null'})`;
}

/** Returns this percentage of the buckets, starting with the first, but at least one bucket. */
export function sampleBuckets(percent: number): Buckets {
  const count = Math.max(1, Math.round((bucketCount * percent) / 100));
  return new Set(Array.from({ length: count }, (_, bucket) => bucket));
}

/** A digest consists of four 32-bit numbers. */
const WORDS = 4;

/** The digests of one side, possibly computed by a thread. */
export interface DigestSums {
  readonly sums: Uint32Array;
  /** The number of items in each bucket. */
  readonly items: Uint32Array;
}

/**
 * For each bucket, a digest of a set of items: the sum of their MD5 hashes, which does not depend on their order. Two
 * sides with the same items have the same digests. A digest takes 16 bytes per bucket, regardless of the number of
 * items.
 */
export class Digests implements DigestSums {
  readonly sums = new Uint32Array(bucketCount * WORDS);
  readonly items = new Uint32Array(bucketCount);

  add(bucket: number, item: Buffer | string): void {
    const words = hash('md5', item, 'buffer');
    for (let word = 0; word < WORDS; word += 1) {
      const at = bucket * WORDS + word;
      this.sums[at] = (this.sums[at] ?? 0) + words.readUInt32LE(4 * word);
    }
    this.items[bucket] = (this.items[bucket] ?? 0) + 1;
  }

  /** Returns true if both sides have the same items in the bucket. */
  isSame(other: DigestSums, bucket: number): boolean {
    if (this.items[bucket] !== other.items[bucket]) return false;
    for (let at = bucket * WORDS; at < (bucket + 1) * WORDS; at += 1) {
      if (this.sums[at] !== other.sums[at]) return false;
    }
    return true;
  }
}
