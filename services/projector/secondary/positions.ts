import type { Client, ClientBase } from 'pg';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import type { PartitionPosition, ReadPartition } from '../../../shared/kafka/read-partitions.ts';

/** Another projector has already stored this. */
export class PositionsMoved extends Error {
  override readonly name = 'PositionsMoved';
}

/** The messages read from a partition, and the position they begin at. */
export interface FoundPartition {
  readonly from: PartitionPosition;
  readonly found: ReadPartition;
}

/** An arbitrary number, the same in every process: only one at a time changes tables. */
const TABLES_LOCK = 0x616e6e62;

/** Creates the missing tables of a schema with positions of its own; `tables` is SQL that may run repeatedly. */
export async function ensureSecondaryTables(
  client: ClientBase,
  schema: string,
  tables: string,
): Promise<void> {
  await client.query('begin');
  try {
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
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

/** The positions to read on from; the beginning for new partitions. */
export async function loadSecondaryPositions(
  client: Client,
  kafka: KafkaConnection,
  { schema, topics }: { readonly schema: string; readonly topics: readonly string[] },
): Promise<readonly PartitionPosition[]> {
  for (const topic of topics) {
    await client.query(
      `insert into ${schema}.positions (topic, partition, next_offset)
       select $1, partition, 0 from generate_series(0, $2::int - 1) partition on conflict do nothing`,
      [topic, await kafka.partitionsOf(topic)],
    );
  }
  const { rows } = await client.query<{ topic: string; partition: number; next_offset: string }>(
    `select topic, partition, next_offset from ${schema}.positions where topic = any($1)`,
    [topics],
  );
  return rows.map(({ topic, partition, next_offset: next }) => ({
    topic,
    partition,
    offset: BigInt(next),
  }));
}

/** Stores rows and positions in one transaction; positions by compare-and-set. */
export async function storeOnce(
  client: Client,
  schema: string,
  {
    read,
    store,
  }: { readonly read: readonly FoundPartition[]; readonly store: () => Promise<void> },
): Promise<void> {
  await client.query('begin');
  try {
    // If several projectors are assigned the same partitions, the lock lets one at a time create tables and move
    // positions.
    await client.query(`select from ${schema}.positions order by topic, partition for update`);
    for (const { from, found } of read) await movePosition(client, schema, { from, found });
    await store();
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function movePosition(
  client: Client,
  schema: string,
  { from, found }: FoundPartition,
): Promise<void> {
  const { rowCount } = await client.query(
    `update ${schema}.positions set next_offset = $4
     where topic = $1 and partition = $2 and next_offset = $3`,
    [from.topic, from.partition, `${from.offset}`, `${found.nextOffset}`],
  );
  if (rowCount !== 1) throw new PositionsMoved(`${from.topic}/${from.partition}`);
}
