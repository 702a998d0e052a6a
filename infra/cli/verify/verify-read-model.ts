import type { Client } from 'pg';
import type { Logger } from 'pino';
import { findTables } from '../../../shared/db/find-tables.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositions } from '../../../shared/db/positions.ts';
import { loadUnfitTypes } from '../../../shared/db/quarantine.ts';
import { liveSchema, tableName } from '../../../shared/db/tables/read-model-names.ts';
import { createDirectory, type Directory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import {
  type KafkaAddress,
  type KafkaConnection,
  withKafka,
} from '../../../shared/kafka/connection.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import { type Buckets, bucketCount, bucketOf, recordsIn, sampleBuckets } from './buckets.ts';
import {
  compareCounts,
  comparePositions,
  compareRecords,
  compareRejected,
} from './compare-tables.ts';
import { Differences } from './difference.ts';
import { digestInThread, type ThreadSource } from './digest-in-thread.ts';
import { digestTables, type TablesDigest } from './digest-tables.ts';
import { type ExpectedRecords, expectRecords } from './expect-records.ts';
import { digestLog, foldLog, type LogDigest, orRefusal } from './fold-log.ts';
import { loadRejected, type QuarantinedRecord, type Rejected } from './load-rejected.ts';
import type { Verification, VerifyResult } from './verification.ts';
import { verifySince } from './verify-since.ts';

interface VerifiedInstallation {
  readonly kafka: KafkaAddress;
  readonly topics: { readonly directory: string; readonly records: string };
  readonly connect: () => Promise<Client>;
  readonly log: Logger;
}

export interface VerifyOptions {
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  /** Used if something differs: the number of events whose records are held in memory at a time. */
  readonly entriesPerSlice?: number;
  /** The percentage of records to compare. */
  readonly samplePercent?: number;
  /**
   * Limits the comparison to entries from this time on, in milliseconds since 1970, and to the records that they
   * changed.
   */
  readonly since?: number;
  /** Everything that a separate thread needs to open the log. Used for large logs. */
  readonly thread?: ThreadSource;
}

const ENTRIES_PER_SLICE = 50_000;
/** With fewer entries, starting a thread would take more time than it saves. */
const MIN_ENTRIES_FOR_THREAD = 20_000;

/**
 * Compares the live read model with the log, in both directions. Works while projectors and writers run: it uses one
 * snapshot of the database, and reads the log up to the positions in the snapshot.
 *
 *   log ─────▶ digests of its events  ─┐
 *                                      ├─▶ buckets that differ ─▶ fold their records, compare each
 *   history ─▶ digests, rows, mentions ┘
 *
 * The log and the history are each read once. The memory needed does not depend on their size, because only sums of
 * digests are kept, for each of a few thousand buckets of records. If a bucket differs, the log is read again for only
 * its records.
 */
export async function verifyReadModel(
  installation: VerifiedInstallation,
  options: VerifyOptions = {},
): Promise<VerifyResult> {
  const { connect, topics } = installation;
  return withKafka(installation, (kafka) =>
    withConnection(connect, async (client) => {
      await client.query('begin isolation level repeatable read read only');
      return withConnection(connect, async (copying) => {
        await shareSnapshot(client, copying);
        const ends = await loadPositions(client);
        const unfit = [...(await loadUnfitTypes(client))];
        const progress = createProgress(options, ends);
        try {
          const directory = await foldDirectory(kafka, topics.directory, ends);
          const excluded = new Set(unfit.map(([entityType]) => entityType));
          const verification = {
            ...{ kafka, ends, client, copying, onProgress: progress.add, model: directory.entity },
            models: await withTables(client, directory, excluded),
            rejected: await loadRejected(client),
            differences: new Differences(),
          };
          const result =
            options.since === undefined
              ? await compareAll(verification, options, progress)
              : await verifySince(verification, options.since);
          if (unfit.length === 0) return result;
          return {
            ...result,
            unfit: unfit.map(([entityType, reason]) => ({ entityType, reason })),
          };
        } catch (error) {
          throw orRefusal(error);
        }
      });
    }),
  );
}

async function shareSnapshot(client: Client, other: Client): Promise<void> {
  const { rows } = await client.query<{ id: string }>('select pg_export_snapshot() as id');
  await other.query('begin isolation level repeatable read read only');
  await other.query(`set transaction snapshot '${rows[0]?.id}'`);
}

async function compareAll(
  verification: Verification,
  { thread, samplePercent = 100, entriesPerSlice = ENTRIES_PER_SLICE }: VerifyOptions,
  progress: ReturnType<typeof createProgress>,
): Promise<VerifyResult> {
  const { ends, rejected, differences } = verification;
  const buckets = sampleBuckets(samplePercent);
  const [log, tables] = await Promise.all([
    thread !== undefined && progress.entries >= MIN_ENTRIES_FOR_THREAD
      ? digestInThread({ source: thread, ends, buckets }, progress.add)
      : digestLog(verification, buckets),
    digestTables(verification, buckets),
  ]);
  for (const { entityType, id } of rejected.quarantined.values())
    tables.differing.add(bucketOf(entityType, id));
  const differing = [...buckets].filter(
    (bucket) => tables.differing.has(bucket) || !tables.events.isSame(log.events, bucket),
  );
  const summary = new Summary(log, tables);
  for (const slice of toSlices(differing, log, entriesPerSlice)) {
    if (differences.isFull()) break;
    progress.beginAnother();
    const records = recordsIn(slice);
    const expected = await expectRecords(verification, records);
    await compareRecords(verification, records, expected);
    summary.add(slice, expected);
  }
  const { counts, optional } = summary.counts();
  await compareCounts(verification, counts, optional);
  await comparePositions(verification, log.folds);
  const all = buckets.size === bucketCount ? rejected.places : rejectedIn(rejected, buckets);
  compareRejected(differences, summary.rejected(), all);
  return {
    differences: differences.total,
    list: differences.list,
    ...summary.totals(),
    ...(log.healed.length > 0 && { damaged: log.healed }),
    ...(summary.buckets < differing.length && {
      unexamined: Math.ceil((100 * (differing.length - summary.buckets)) / buckets.size),
    }),
  };
}

/** Excludes types for which Postgres refused to create a table, because all of their records are quarantined. */
async function withTables(client: Client, directory: Directory, unfit: ReadonlySet<string>) {
  const models = directory.entities();
  if (unfit.size === 0) return models;
  const tables = await findTables(client, liveSchema);
  return models.filter(({ name }) => !unfit.has(name) || tables.has(tableName(name)));
}

/** Excludes entries of quarantined records in other buckets, because those buckets were not folded. */
function rejectedIn({ places, quarantined }: Rejected, buckets: Buckets): ReadonlySet<string> {
  const others = [...quarantined.values()].filter(
    ({ entityType, id }) => !buckets.has(bucketOf(entityType, id)),
  );
  return places.difference(new Set(others.flatMap(({ entries }) => entries)));
}

function createProgress({ onProgress }: VerifyOptions, ends: readonly PartitionPosition[]) {
  const entries = ends.reduce((sum, { offset }) => sum + Number(offset), 0);
  let [done, total] = [0, entries];
  return {
    entries,
    add(messages: number): void {
      done += messages;
      onProgress?.({ done, total });
    },
    beginAnother(): void {
      total += entries;
    },
  };
}

/** Groups buckets so that each group has at most `entriesPerSlice` events, unless a single bucket has more. */
function toSlices(
  buckets: readonly number[],
  { events }: LogDigest,
  entriesPerSlice: number,
): readonly Buckets[] {
  const slices: Set<number>[] = [];
  let room = 0;
  for (const bucket of buckets) {
    const count = events.items[bucket] ?? 0;
    if (slices.length === 0 || count > room) {
      slices.push(new Set());
      room = entriesPerSlice;
    }
    slices.at(-1)?.add(bucket);
    room -= count;
  }
  return slices;
}

/** Returns the directory as of its position in the database. */
async function foldDirectory(
  kafka: KafkaConnection,
  topic: string,
  positions: readonly PartitionPosition[],
): Promise<Directory> {
  const directory = createDirectory(stockDefinitions);
  const ends = positions.filter((position) => position.topic === topic);
  await foldLog({ kafka, ends, onProgress: () => undefined }, directory.apply);
  return directory;
}

/** Summarizes the log from its digest, corrected by the results of the buckets that were folded. */
class Summary {
  /** The number of buckets that were folded. */
  buckets = 0;
  readonly #log: LogDigest;
  /** The number of records in the history, by bucket. */
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

  /** Returns the number of live records by `Type/partition`, and the keys that may have no row. */
  counts() {
    const counts = new Map(
      [...this.#log.counts].map(([key, live]) => [key, live + (this.#corrections.get(key) ?? 0)]),
    );
    // A type whose records are all quarantined was never counted.
    const optional = new Set([...this.#corrections.keys()].filter((key) => counts.get(key) === 0));
    return { counts, optional };
  }

  /** Returns the rejected entries, as `topic/partition/offset`. */
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
