import type { Client, ClientBase } from 'pg';
import { inTransaction } from '../../../shared/db/in-transaction.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import type { PartitionPosition, ReadPartition } from '../../../shared/kafka/read-partitions.ts';

/** Thrown if another projector has already moved a position. */
export class PositionsMoved extends Error {
  override readonly name = 'PositionsMoved';
}

interface SecondaryTables {
  /** The schema of the tables, including `positions`. */
  readonly schema: string;
  /** Idempotent SQL that creates the other tables. */
  readonly tables: string;
}

/** Which topics are stored in Postgres, and how. */
export interface StoragePlan extends SecondaryTables {
  readonly topics: readonly string[];
  /** Stores messages. The caller moves the positions in the same transaction. */
  store(client: Client, read: readonly ReadPartition[]): Promise<void>;
}

/** The key of an advisory lock, an arbitrary number: only one process at a time changes tables. */
const TABLES_LOCK = 0x616e6e62;

/** Creates the missing tables of a secondary projection, including its positions. */
export async function ensureSecondaryTables(
  client: ClientBase,
  { schema, tables }: SecondaryTables,
): Promise<void> {
  await inTransaction(client, async () => {
    await client.query('select pg_advisory_xact_lock($1)', [TABLES_LOCK]);
    await client.query(`
      create schema if not exists ${schema};

      create table if not exists ${schema}.positions (
        topic text not null,
        partition integer not null,
        next_offset bigint not null,
        primary key (topic, partition)
      );
      ${tables}`);
  });
}

/** Loads the positions at which reading continues. New partitions start at offset 0. */
export async function loadSecondaryPositions(
  client: Client,
  kafka: KafkaConnection,
  { schema, topics }: StoragePlan,
): Promise<readonly PartitionPosition[]> {
  for (const topic of topics) {
    await client.query(
      `insert into ${schema}.positions (topic, partition, next_offset)
       select $1, partition, 0 from generate_series(0, $2::int - 1) partition on conflict do nothing`,
      [topic, await kafka.partitionsOf(topic)],
    );
  }
  const { rows } = await client.query<{ topic: string; partition: number; offset: string }>(
    `select topic, partition, next_offset as "offset" from ${schema}.positions where topic = any($1)`,
    [topics],
  );
  return rows.map((row) => ({ ...row, offset: BigInt(row.offset) }));
}

/** Stores the messages that were read, and moves the positions by compare-and-set, in one transaction. */
export async function storeOnce(
  client: Client,
  plan: StoragePlan,
  read: readonly ReadPartition[],
): Promise<void> {
  await inTransaction(client, async () => {
    // Several projectors may be assigned the same partitions. The lock lets only one at a time create tables and move
    // positions.
    await client.query(`select from ${plan.schema}.positions order by topic, partition for update`);
    for (const found of read) await movePosition(client, plan.schema, found);
    await plan.store(client, read);
  });
}

async function movePosition(
  client: Client,
  schema: string,
  { topic, partition, offset, nextOffset }: ReadPartition,
): Promise<void> {
  const { rowCount } = await client.query(
    `update ${schema}.positions set next_offset = $4
     where topic = $1 and partition = $2 and next_offset = $3`,
    [topic, partition, `${offset}`, `${nextOffset}`],
  );
  if (rowCount !== 1) throw new PositionsMoved(`${topic}/${partition}`);
}
