import type { Client } from 'pg';
import type { Logger } from 'pino';
import { isRefusedByTables } from '../../../shared/db/refused-by-tables.ts';
import { quoteName } from '../../../shared/db/tables/read-model-names.ts';
import { collapse } from './collapse.ts';
import { execute, type FoldedBatch, type QuarantinedEntry, reject } from './execute-batch.ts';
import { storeCarefully } from './store-carefully.ts';

/**
 * Stores a batch as a whole. Versions are not read beforehand: the statement is rolled back if a row does not have the
 * version before its events. Records are checked one by one (store-carefully.ts) only in that case, or if the tables
 * reject the batch. Returns the entries that were not stored, except for entries in `batch.rejected`.
 */
export async function storeBatch(
  client: Client,
  batch: FoldedBatch,
  log: Logger,
): Promise<readonly QuarantinedEntry[]> {
  await reject(client, batch.schema, batch.rejected);
  if (await storeWhole(client, batch)) return [];
  return storeCarefully(client, batch, log);
}

/** Returns false and stores nothing if a row has an unexpected version, or if the tables reject an event. */
async function storeWhole(client: Client, batch: FoldedBatch): Promise<boolean> {
  const { events, unfit } = batch;
  if (unfit.size > 0 && events.some(({ event }) => unfit.has(event.entityType))) return false;
  try {
    const changes = collapse(events);
    if (changes === undefined) return false;
    await execute(client, { ...batch, changes });
    return true;
  } catch (error) {
    if (isRefusedByTables(error)) return false;
    throw error;
  }
}

/** Inserts the missing positions. New partitions start at offset 0. */
export async function ensurePositions(
  client: Client,
  schema: string,
  topics: readonly { readonly topic: string; readonly partitions: number }[],
): Promise<void> {
  for (const { topic, partitions } of topics) {
    await client.query(
      `insert into ${quoteName(schema)}.positions (topic, partition, next_offset, token, sequence)
       select $1, partition, 0, null, 0 from generate_series(0, $2::int - 1) partition
       on conflict do nothing`,
      [topic, partitions],
    );
  }
}
