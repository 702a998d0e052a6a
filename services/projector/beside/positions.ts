import type { Client, ClientBase } from 'pg';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import type { PartitionPosition, ReadPartition } from '../../../shared/kafka/read-partitions.ts';

/** Another projector has stored this already. */
export class PositionsMoved extends Error {
  override readonly name = 'PositionsMoved';
}

/** What was read of a partition, and from where on. */
export interface FoundPartition {
  readonly from: PartitionPosition;
  readonly found: ReadPartition;
}

/** Arbitrary, the same for all: only one process at a time changes tables. */
const TABLES_LOCK = 0x616e6e62;

/** Makes what is missing of a schema that has positions of its own; `tables` is SQL that may run again and again. */
export async function ensureBesideTables(
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

/** Where to read on, at the beginning for what is new. */
export async function loadPositions(
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

/** Rows and positions in one transaction; positions by compare-and-set. */
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
    // Of several projectors that believe all this theirs, one at a time makes tables and moves positions.
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
