import type { Client } from 'pg';
import type { Logger } from 'pino';
import { findTables } from '../../../shared/db/find-tables.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositions, type ProjectedPosition } from '../../../shared/db/positions.ts';
import { loadUnfitTypes } from '../../../shared/db/quarantine.ts';
import { liveSchema, tableName } from '../../../shared/db/tables/read-model-names.ts';
import { createDirectory, type Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { emptyFold } from '../../../shared/events/fold.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import {
  type KafkaAddress,
  type KafkaConnection,
  withKafka,
} from '../../../shared/kafka/connection.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import { readWhole } from '../../../shared/kafka/read-whole.ts';
import { type Buckets, bucketCount, bucketOf, recordsIn, sampleBuckets } from './buckets.ts';
import {
  compareCounts,
  comparePositions,
  compareRecords,
  compareRejected,
} from './compare-tables.ts';
import { orRefusal } from './damaged-log.ts';
import { Differences } from './difference.ts';
import { digestInThread, type ThreadSource } from './digest-in-thread.ts';
import { digestLog, type LogDigest } from './digest-log.ts';
import { digestTables } from './digest-tables.ts';
import { expectRecords } from './expect-records.ts';
import { loadRejected, type Rejected } from './load-rejected.ts';
import { Summary } from './summary.ts';
import type { UnfitType, VerifyResult } from './verify-result.ts';
import { verifySince } from './verify-since.ts';

export interface VerifyDeps {
  readonly kafka: KafkaAddress;
  readonly topics: { readonly directory: string; readonly records: string };
  readonly connect: () => Promise<Client>;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly log: Logger;
  /** The number of events whose records are in memory at a time, if something differs. */
  readonly entriesPerSlice?: number;
  /** The share of records to compare. */
  readonly samplePercent?: number;
  /** Compare only entries since this time, in milliseconds since 1970, and the records that they changed. */
  readonly since?: number;
  /** What a separate thread needs to open a large log. */
  readonly thread?: ThreadSource;
}

const ENTRIES_PER_SLICE = 50_000;
/** With fewer entries, starting a thread takes longer than it saves. */
const MIN_ENTRIES_FOR_THREAD = 20_000;

/**
 * Compares the live read model with the log, in both directions. Works while projectors and writers run: it uses one
 * snapshot of the database, and reads the log up to the positions in the snapshot.
 *
 *   log ─────▶ digests of its events  ─┐
 *                                      ├─▶ buckets that differ ─▶ fold their records, compare each
 *   history ─▶ digests, rows, mentions ┘
 *
 * The log and the history are each read once. Memory does not depend on their size, because only sums of digests are
 * kept for each of a few thousand buckets of records. If a bucket differs, the log is read again, only for its
 * records.
 */
export async function verifyReadModel(deps: VerifyDeps): Promise<VerifyResult> {
  return withKafka(deps, (kafka) =>
    withConnection(deps.connect, async (client) => {
      await client.query('begin isolation level repeatable read read only');
      return withConnection(deps.connect, async (copying) => {
        await shareSnapshot(client, copying);
        const ends = await loadPositions(client);
        const unfit = await loadUnfitTypes(client);
        try {
          const result = await compareAll(deps, { kafka, client, copying, ends, unfit });
          return unfit.size === 0 ? result : { ...result, unfit: toUnfitTypes(unfit) };
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

interface Sources {
  readonly kafka: KafkaConnection;
  readonly client: Client;
  readonly copying: Client;
  readonly ends: readonly ProjectedPosition[];
  /** The reasons why tables do not fit their definitions, by entity type. */
  readonly unfit: ReadonlyMap<string, string>;
}

function toUnfitTypes(unfit: Sources['unfit']): readonly UnfitType[] {
  return [...unfit].map(([entityType, reason]) => ({ entityType, reason }));
}

async function compareAll(deps: VerifyDeps, sources: Sources): Promise<VerifyResult> {
  const { topics, thread, samplePercent = 100, entriesPerSlice = ENTRIES_PER_SLICE } = deps;
  const { kafka, client, ends, unfit } = sources;
  const { entity: model, entities } = await foldDirectory(kafka, topics.directory, ends);
  const models = await withTables(client, unfit, entities());
  const buckets = sampleBuckets(samplePercent);
  const progress = createProgress(deps, ends);
  const source = { kafka, ends, onProgress: progress.add };
  const rejected = await loadRejected(client);
  if (deps.since !== undefined)
    return verifySince({ ...source, client, model, models, rejected, since: deps.since });
  const { quarantined } = rejected;
  const [log, tables] = await Promise.all([
    thread !== undefined && progress.entries >= MIN_ENTRIES_FOR_THREAD
      ? digestInThread({ source: thread, ends, buckets }, progress.add)
      : digestLog(source, buckets),
    digestTables({ ...sources, models, buckets, quarantined }),
  ]);
  for (const { entityType, id } of quarantined.values())
    tables.differing.add(bucketOf(entityType, id));
  const differing = [...buckets].filter(
    (bucket) => tables.differing.has(bucket) || !tables.events.isSame(log.events, bucket),
  );
  const differences = new Differences();
  const summary = new Summary(log, tables);
  for (const slice of toSlices(differing, log, entriesPerSlice)) {
    if (differences.isFull()) break;
    progress.beginAnother();
    const records = recordsIn(slice);
    const expected = await expectRecords({ ...source, model, records, rejected });
    await compareRecords({ client, records, differences }, models, expected);
    summary.add(slice, expected);
  }
  const { counts, optional } = summary.counts();
  await compareCounts({ client, differences }, counts, optional);
  await comparePositions({ client, differences }, log.folds);
  const all = buckets.size === bucketCount ? rejected.places : rejectedIn(rejected, buckets);
  compareRejected({ differences }, summary.rejected(), all);
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

/** Excludes types whose table Postgres refused to create: all of their records are quarantined. */
async function withTables(
  client: Client,
  unfit: Sources['unfit'],
  models: readonly EntityModel[],
): Promise<readonly EntityModel[]> {
  if (unfit.size === 0) return models;
  const tables = await findTables(client, liveSchema);
  return models.filter(({ name }) => !unfit.has(name) || tables.has(tableName(name)));
}

/** Excludes the entries of quarantined records in other buckets, which were not folded. */
function rejectedIn({ places, quarantined }: Rejected, buckets: Buckets): ReadonlySet<string> {
  const others = [...quarantined.values()].filter(
    ({ entityType, id }) => !buckets.has(bucketOf(entityType, id)),
  );
  return places.difference(new Set(others.flatMap(({ entries }) => entries)));
}

function createProgress({ onProgress }: VerifyDeps, ends: readonly PartitionPosition[]) {
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

/** Groups buckets so that each group has at most this many events, if possible. */
function toSlices(
  buckets: readonly number[],
  { events }: Pick<LogDigest, 'events'>,
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

/** Returns the entity definitions as of the position in the database. */
async function foldDirectory(
  kafka: KafkaConnection,
  topic: string,
  ends: readonly PartitionPosition[],
): Promise<Directory> {
  const directory = createDirectory(stockDefinitions);
  const end = ends.find((position) => position.topic === topic)?.offset ?? 0n;
  if (end === 0n) return directory;
  let state = emptyFold;
  for await (const message of readWhole(kafka, topic)) {
    if (message.offset >= end) break;
    const taken = takeMessage(state, message);
    state = taken.state;
    if (taken.entry?.kind === 'event') directory.apply(taken.entry.event);
  }
  return directory;
}
