import type { Client } from 'pg';
import type { Logger } from 'pino';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositions } from '../../../shared/db/positions.ts';
import { createDirectory, type Directory } from '../../../shared/domain/directory/directory.ts';
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
import {
  compareEntityTable,
  compareHistory,
  compareMentions,
  compareRest,
} from './compare-tables.ts';
import { type Difference, Differences } from './difference.ts';
import { expectSlice } from './expect-slice.ts';

export interface VerifyDeps {
  readonly kafka: KafkaAddress;
  readonly topics: { readonly directory: string; readonly records: string };
  readonly connect: () => Promise<Client>;
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void;
  readonly log: Logger;
  /** Number of entries whose records are in memory at a time. */
  readonly entriesPerSlice?: number;
}

export interface VerifyResult {
  readonly differences: number;
  /** The first hundred differences. */
  readonly list: readonly Difference[];
  readonly events: number;
  readonly records: number;
}

const ENTRIES_PER_SLICE = 300_000;

/**
 * Compares the live read model with the log, row by row, in both directions. Works beside projectors and writers: it uses
 * one snapshot of the database, and reads the log up to the positions in the snapshot. Memory is bounded: a large log is
 * folded several times, each time for another slice of the records.
 */
export async function verifyReadModel(deps: VerifyDeps): Promise<VerifyResult> {
  return withKafka(deps, (kafka) =>
    withConnection(deps.connect, async (client) => {
      await client.query('begin isolation level repeatable read read only');
      return compareAll(deps, { kafka, client, ends: await loadPositions(client) });
    }),
  );
}

interface Sources {
  readonly kafka: KafkaConnection;
  readonly client: Client;
  readonly ends: readonly PartitionPosition[];
}

async function compareAll(
  { topics, onProgress, entriesPerSlice = ENTRIES_PER_SLICE }: VerifyDeps,
  { kafka, client, ends }: Sources,
): Promise<VerifyResult> {
  const directory = await foldDirectory(kafka, topics.directory, ends);
  const differences = new Differences();
  const entries = ends.reduce((sum, { offset }) => sum + Number(offset), 0);
  const slices = Math.max(1, Math.ceil(entries / entriesPerSlice));
  const result = { events: 0, records: 0 };
  let done = 0;
  for (let index = 0; index < slices; index++) {
    const slice = { index, of: slices };
    const expected = await expectSlice({
      kafka,
      ends,
      model: directory.entity,
      slice,
      onProgress(messages) {
        done += messages;
        onProgress?.({ done, total: entries * slices });
      },
    });
    const tables = { client, slice, differences };
    for (const model of directory.entities()) await compareEntityTable(tables, model, expected);
    await compareHistory(tables, expected);
    await compareMentions(tables, expected);
    if (index === 0) await compareRest(tables, expected);
    result.events = expected.events;
    result.records += expected.records.size;
  }
  return { ...result, differences: differences.total, list: differences.list };
}

/** Entity definitions as of the position in the database. */
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
