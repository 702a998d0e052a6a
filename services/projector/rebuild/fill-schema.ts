/**
 * Fills a schema that is not in use yet, from the beginning of the log or from the end of an earlier attempt:
 *
 *   read a chunk ─▶ fold, collapse, write it in COPY's format ─▶ one transaction: COPY new rows and history,
 *        ▲                                                         update older rows, count, move positions
 *        └──────────── the next chunk is prepared at the same time ────────┘
 *
 * The positions move with the rows, so after a crash the next attempt resumes after the last stored chunk.
 */
import type { Client } from 'pg';
import type { Logger } from 'pino';
import { inTransaction } from '../../../shared/db/in-transaction.ts';
import { loadPositions, type ProjectedPosition } from '../../../shared/db/positions.ts';
import { loadUnfitTypes } from '../../../shared/db/quarantine.ts';
import { isRefusedByTables } from '../../../shared/db/refused-by-tables.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  endOffset,
  type ReadOptions,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';
import { insertAttributes } from '../consume/batch-statement.ts';
import { collapse, type RowChange } from '../consume/collapse.ts';
import { execute, type FoldedBatch, reject } from '../consume/execute-batch.ts';
import { type FoldedPartitions, foldPartitions } from '../consume/fold-partitions.ts';
import { storeBatch } from '../consume/store-batch.ts';
import { type CopiedRows, copyRows, toEntityRows, toHistoryRows } from './copy-rows.ts';

export interface FillDeps {
  readonly client: Client;
  readonly kafka: KafkaConnection;
  readonly schema: string;
  /** The partitions to read; all if undefined. */
  readonly share?: Share;
  readonly model: (entityType: string) => EntityModel | undefined;
  /** Entity types whose definition Postgres rejects, with the reason; loaded from the schema. */
  readonly unfit?: ReadonlyMap<string, string>;
  /** Called after each chunk with the number of its messages. */
  readonly onProgress: (messages: number) => void;
  readonly log: Logger;
}

/** The partitions that one thread fills. */
export type Share = readonly { readonly topic: string; readonly partition: number }[];

/** Larger chunks would outlive V8's young generation, and smaller ones would need more transactions. */
const chunkRead: ReadOptions = {
  maxWaitMs: 100,
  maxBytes: 8 * 1024 * 1024,
  maxBytesPerPartition: 2 * 1024 * 1024,
};

/** Resolves when the schema has all entries of the share that were in the log at the time of the call. */
export async function fillSchema(options: FillDeps): Promise<void> {
  const { kafka } = options;
  const deps = { ...options, unfit: await loadUnfitTypes(options.client, options.schema) };
  let positions = await loadShare(deps);
  const ends = await Promise.all(
    positions.map(({ topic, partition }) => endOffset(kafka, topic, partition)),
  );
  let prepared = prepareChunk(deps, positions, ends);
  for (;;) {
    const chunk = await prepared;
    if (chunk === undefined) return;
    positions = chunk.folded.to;
    prepared = prepareChunk(deps, positions, ends);
    prepared.catch(() => undefined);
    await storeChunk(deps, chunk);
    deps.onProgress(chunk.messages);
  }
}

async function loadShare(deps: FillDeps): Promise<readonly ProjectedPosition[]> {
  const positions = await loadPositions(deps.client, deps.schema);
  return positions.filter((position) => deps.share?.some((one) => isSame(one, position)) ?? true);
}

interface Chunk {
  readonly folded: FoldedBatch & FoldedPartitions;
  /**
   * Undefined if versions are not consecutive or a table does not fit its type. In these cases storeBatch checks each
   * record.
   */
  readonly rows:
    | { readonly inserts: readonly RowChange[]; readonly updates: readonly RowChange[] }
    | undefined;
  readonly copies: readonly CopiedRows[];
  readonly messages: number;
}

/** Returns undefined if every partition is at its end. */
async function prepareChunk(
  { kafka, schema, model, unfit = new Map() }: FillDeps,
  positions: readonly ProjectedPosition[],
  ends: readonly bigint[],
): Promise<Chunk | undefined> {
  const unread = positions.filter(({ offset }, index) => offset < (ends[index] ?? 0n));
  if (unread.length === 0) return undefined;
  const read = await readPartitions(kafka, unread, chunkRead);
  const folded = { ...foldPartitions(read, positions), schema, model, unfit, isSilent: true };
  const isUnfit = unfit.size > 0 && folded.events.some(({ event }) => unfit.has(event.entityType));
  const changes = isUnfit ? undefined : collapse(folded.events);
  const messages = read.reduce((sum, found) => sum + found.messages.length, 0);
  if (changes === undefined) return { folded, rows: undefined, copies: [], messages };
  const inserts = changes.filter(({ baseVersion }) => baseVersion === 0);
  const updates = changes.filter(({ baseVersion }) => baseVersion !== 0);
  const copies = [toHistoryRows({ schema, model }, folded.events)];
  const attributes = insertAttributes(inserts, model);
  for (const [entityType, rows] of Map.groupBy(inserts, (change) => change.entityType)) {
    const target = model(entityType);
    if (target === undefined) continue;
    const shape = { model: target, attributes: attributes.get(entityType) ?? [] };
    copies.push(toEntityRows(schema, shape, rows));
  }
  return { folded, rows: { inserts, updates }, copies, messages };
}

async function storeChunk(
  { client, log }: FillDeps,
  { folded, rows, copies }: Chunk,
): Promise<void> {
  if (rows === undefined) {
    await storeBatch(client, folded, log);
    return;
  }
  try {
    await inTransaction(client, async () => {
      await reject(client, folded.schema, folded.rejected);
      for (const copied of copies) await copyRows(client, copied);
      const { inserts: copied, updates: changes } = rows;
      const { events: mentioning } = folded;
      await execute(client, { ...folded, events: [], mentioning, changes, copied });
    });
  } catch (error) {
    // storeBatch finds the impossible version, or the record that the tables reject.
    if (!isRefusedByTables(error)) throw error;
    await storeBatch(client, folded, log);
  }
}

function isSame(one: Share[number], other: Share[number]): boolean {
  return one.topic === other.topic && one.partition === other.partition;
}
