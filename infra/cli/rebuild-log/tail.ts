/**
 * The tail: entries of a damaged log that Postgres does not have yet, such as acknowledged changes that a stopped
 * projector did not store. They are kept in Postgres while the topics are rewritten, and are appended at their old
 * offsets.
 */
import type { Client } from 'pg';
import { hasTable } from '../../../shared/db/find-tables.ts';
import {
  type BackupEntry,
  decodeBackupEntry,
  encodeBackupEntry,
} from '../../../shared/events/backup-entry-codec.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { BatchDamaged } from '../../../shared/kafka/fetch/batch-damaged.ts';
import { LogDamaged } from '../../../shared/kafka/log-damaged.ts';
import {
  endOffset,
  liveRead,
  type PartitionPosition,
  type ReadMessage,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';
import { createPartitionAppender } from './append-portions.ts';
import { forEachRows } from './for-each-rows.ts';
import { workSchema } from './work-schema.ts';

const table = `${workSchema}.tail`;

/** Reads from these positions to the ends. Returns the reasons why some entries could not be kept. */
export async function keepTails(
  { client, kafka }: { readonly client: Client; readonly kafka: KafkaConnection },
  positions: readonly PartitionPosition[],
): Promise<readonly string[]> {
  await client.query(`create schema if not exists ${workSchema};
    drop table if exists ${table};
    create table ${table} (
      topic text not null,
      partition integer not null,
      log_offset bigint not null,
      entry bytea not null,
      primary key (topic, partition, log_offset)
    )`);
  const lost: string[] = [];
  for (const position of positions) {
    try {
      await keepTail(client, kafka, position);
    } catch (error) {
      if (!(error instanceof LogDamaged || error instanceof BatchDamaged)) throw error;
      lost.push(error.message);
    }
  }
  return lost;
}

async function keepTail(
  client: Client,
  kafka: KafkaConnection,
  from: PartitionPosition,
): Promise<void> {
  const { topic, partition } = from;
  const end = await endOffset(kafka, topic, partition);
  let { offset } = from;
  while (offset < end) {
    const [found] = await readPartitions(kafka, [{ topic, partition, offset }], liveRead);
    if (found === undefined) return;
    const entries = found.messages.map(toEntry);
    await client.query(
      `insert into ${table} select $1, $2, * from unnest($3::bigint[], $4::bytea[])`,
      [topic, partition, entries.map((entry) => entry.offset), entries.map(encodeBackupEntry)],
    );
    offset = found.nextOffset;
  }
}

function toEntry({ offset, timestamp, key, value, headers = {} }: ReadMessage): BackupEntry {
  const set = Object.entries(headers).flatMap(([name, bytes]) =>
    bytes === undefined ? [] : [[name, bytes] as const],
  );
  return {
    offset: Number(offset),
    timestamp,
    key: key ?? '',
    value: value ?? Buffer.alloc(0),
    headers: Object.fromEntries(set),
  };
}

/** Appends the kept entries of a partition, byte for byte. Returns their number. */
export async function writeTail(
  { client, kafka }: { readonly client: Client; readonly kafka: KafkaConnection },
  { topic, partition }: Pick<PartitionPosition, 'topic' | 'partition'>,
): Promise<number> {
  if (!(await hasTable(client, table))) return 0;
  let written = 0;
  const appender = createPartitionAppender(kafka, { topic, partition }, undefined, false);
  await forEachRows<{ entry: Buffer }>(
    client,
    `select entry from ${table} where topic = ${client.escapeLiteral(topic)}
       and partition = ${partition} order by log_offset`,
    async (rows) => {
      for (const { entry } of rows) {
        const { key, value, headers, timestamp } = decodeBackupEntry(entry);
        await appender.add({ key, value, headers, timestamp });
      }
      written += rows.length;
    },
  );
  await appender.flush();
  return written;
}

/** Returns whether entries of a topic were kept. */
export async function hasTail(client: Client, topic: string): Promise<boolean> {
  if (!(await hasTable(client, table))) return false;
  const { rowCount } = await client.query(`select from ${table} where topic = $1 limit 1`, [topic]);
  return rowCount === 1;
}
