import type { Client } from 'pg';
import type { Logger } from 'pino';
import { isRefusedByTables } from '../../../shared/db/refused-by-tables.ts';
import { quoteName } from '../../../shared/db/tables/read-model-names.ts';
import { collapse } from './collapse.ts';
import { execute, type FoldedBatch, type QuarantinedEntry, reject } from './execute-batch.ts';
import { storeCarefully } from './store-carefully.ts';

/**
 * Stores a batch as a whole or not at all. Versions are not read beforehand: the statement rolls itself back if a row
 * does not have the version that its events follow. Only then, or if the tables refuse the batch, each record is examined
 * (store-carefully.ts). Returns the entries that reached no table, without those that were rejected before.
 */
export async function storeBatch(
  client: Client,
  batch: FoldedBatch,
  log: Logger,
): Promise<readonly QuarantinedEntry[]> {
  await reject(client, batch.schema, batch.rejected);
  if (await fits(client, batch)) return [];
  return storeCarefully(client, batch, log);
}

/** False if a row does not have the version that its events follow, or the tables refuse an event; then nothing is stored. */
async function fits(client: Client, batch: FoldedBatch): Promise<boolean> {
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

/** Inserts a row per partition, at its beginning if it is new. */
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
