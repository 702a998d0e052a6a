/**
 * The tail: entries of a damaged log that Postgres does not have yet, such as acknowledged changes that a stopped
 * projector did not store. They are kept in Postgres while the topics are rewritten, and are appended at their old
 * offsets.
 */
import type { Client } from 'pg';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { decodeBackupEntry, encodeBackupEntry } from '../../../shared/events/backup-entry-codec.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { endOffset, type PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import { forEachRows } from '../for-each-rows.ts';
import {
  createPartitionAppender,
  readUpTo,
  toBackupEntry,
  toMessage,
} from '../partition-entries.ts';
import { asDamage, withLogOf } from './damaged-log.ts';
import { createWorkTable, type Run, workSchema } from './work-schema.ts';

const table = `${workSchema}.tail`;

/**
 * Reads and keeps the entries from these positions to the ends of the partitions. Returns the reasons why entries could
 * not be kept.
 */
export async function keepTails(
  run: Run,
  positions: readonly PartitionPosition[],
): Promise<readonly string[]> {
  const { client } = run;
  await createWorkTable(
    client,
    'tail',
    `topic text not null, partition integer not null, log_offset bigint not null, entry bytea not null,
     primary key (topic, partition, log_offset)`,
  );
  return withLogOf(run, async (kafka) => {
    const lost: string[] = [];
    for (const position of positions) {
      try {
        await keepTail(client, kafka, position);
      } catch (error) {
        lost.push(asDamage(error).message);
      }
    }
    return lost;
  });
}

async function keepTail(
  client: Client,
  kafka: KafkaConnection,
  { topic, partition, offset: start }: PartitionPosition,
): Promise<void> {
  const end = { topic, partition, offset: await endOffset(kafka, topic, partition) };
  for await (const { messages } of readUpTo(kafka, end, { start })) {
    const entries = messages.map(toBackupEntry);
    await client.query(
      `insert into ${table} select $1, $2, * from unnest($3::bigint[], $4::bytea[])`,
      [topic, partition, entries.map(({ offset }) => offset), entries.map(encodeBackupEntry)],
    );
  }
}

/** Appends the kept entries of a partition byte for byte. Returns their number. */
export async function writeTail(
  { client, kafka }: Run,
  topic: string,
  partition: number,
): Promise<number> {
  if (!(await hasTable(client, table))) return 0;
  let written = 0;
  const appender = createPartitionAppender(kafka, { topic, partition }, undefined, false);
  const select = `select entry from ${table} where topic = ${client.escapeLiteral(topic)}
    and partition = ${partition} order by log_offset`;
  await forEachRows<{ entry: Buffer }>(client, select, async (rows) => {
    for (const { entry } of rows) await appender.add(toMessage(decodeBackupEntry(entry)));
    written += rows.length;
  });
  await appender.flush();
  return written;
}

/** Returns true if entries of a topic were kept. */
export async function hasTail(client: Client, topic: string): Promise<boolean> {
  if (!(await hasTable(client, table))) return false;
  const { rowCount } = await client.query(`select from ${table} where topic = $1 limit 1`, [topic]);
  return rowCount === 1;
}
