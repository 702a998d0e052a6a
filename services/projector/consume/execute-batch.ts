import type { Client, QueryConfig } from 'pg';
import { nameStatement } from '../../../shared/db/pool.ts';
import type { RecordName } from '../../../shared/db/quarantine.ts';
import { quoteName } from '../../../shared/db/tables/read-model-names.ts';
import { batchStatement, type EventBatch, type ProjectedBatch } from './batch-statement.ts';
import type { LocatedEvent } from './collapse.ts';

/** An entry that is not stored, and the reason. */
export interface QuarantinedEntry extends Omit<LocatedEvent, 'event'> {
  readonly reason: string;
  /** True if the entry was not written by this installation. */
  readonly isForeign?: boolean;
  /** The record that the entry puts into quarantine. */
  readonly record?: RecordName;
}

export interface FoldedBatch extends EventBatch {
  readonly rejected: readonly QuarantinedEntry[];
  /** Entity types whose table does not fit their definition, with the reason. */
  readonly unfit: ReadonlyMap<string, string>;
}

const MAX_PREPARED = 300;
const preparedBy = new WeakMap<Client, Set<string>>();

/**
 * Executes a batch. The text of a statement depends on the changed columns but not on the number of rows, so the same
 * few statements recur. Each connection prepares them, because planning takes about a millisecond.
 */
export async function execute(client: Client, batch: ProjectedBatch): Promise<void> {
  const { text, values } = batchStatement(batch);
  const { name } = nameStatement(text);
  const prepared = preparedBy.get(client) ?? new Set<string>();
  preparedBy.set(client, prepared);
  if (prepared.size < MAX_PREPARED) prepared.add(name);
  await run(client, { ...(prepared.has(name) ? { name } : {}), text, values });
}

/**
 * Avoids `client.query(config)` without a callback, which adds a function to the query as a property: V8 treats the
 * function as a method and retains it, together with the whole batch, until the next full garbage collection.
 */
function run(client: Client, config: QueryConfig): Promise<void> {
  return new Promise((resolve, reject) => {
    client.query(config, (error) => (error ? reject(error) : resolve()));
  });
}

/** Stores entries as rejected. An entry that is already rejected keeps its reason. */
export async function reject(
  client: Client,
  schema: string,
  entries: readonly QuarantinedEntry[],
): Promise<void> {
  for (const { topic, partition, offset, reason, bytes, record } of entries) {
    await client.query(
      `insert into ${quoteName(schema)}.rejected_entries
         (topic, partition, log_offset, reason, entry, entity_type, record_id)
       values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
      [topic, partition, offset.toString(), reason, bytes, record?.entityType, record?.id],
    );
  }
}
