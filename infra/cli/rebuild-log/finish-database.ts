import type { Client } from 'pg';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { inTransaction } from '../../../shared/db/in-transaction.ts';
import {
  fileSchema,
  liveSchema,
  webhookSchema,
} from '../../../shared/db/tables/read-model-names.ts';
import type { Mark } from '../../../shared/installation/mark.ts';
import { storeMark } from '../../../shared/installation/mark-table.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { dropOtherReadModels } from '../other-read-models.ts';
import { hasTail } from './tail.ts';
import { dropWork, leavesRecordsOut } from './work-schema.ts';

/** Returns an empty list before the first file. */
export async function loadFilePositions(client: Client): Promise<readonly PartitionPosition[]> {
  if (!(await hasTable(client, `${fileSchema}.positions`))) return [];
  const { rows } = await client.query<{ topic: string; partition: number; next_offset: string }>(
    `select topic, partition, next_offset from ${fileSchema}.positions`,
  );
  return rows.map(({ topic, partition, next_offset: next }) => ({
    topic,
    partition,
    offset: BigInt(next),
  }));
}

interface FinishDeps {
  readonly client: Client;
  readonly kafka: KafkaConnection;
  readonly topics: TopicNames;
}

/**
 * Makes Postgres agree with the new log. Everything can be repeated, and the record of the run is removed last. The
 * tables of webhooks contain offsets of the lost topics, so the projector fills them again.
 */
export async function finishDatabase(
  { client, kafka, topics }: FinishDeps,
  mark: Mark,
): Promise<void> {
  const hasFiles = await hasTable(client, `${fileSchema}.positions`);
  const isStale = (await leavesRecordsOut(client)) || (await hasQuarantined(client));
  await inTransaction(client, async () => {
    // Tables with records that the log does not have, or without records that it has, are filled again from it.
    if (isStale) await client.query(`drop schema if exists ${liveSchema} cascade`);
    else await adoptLog(client);
    await client.query(`drop schema if exists ${webhookSchema} cascade`);
    await dropOtherReadModels(client);
    if (hasFiles && (await hasTail(client, topics.files))) {
      // Postgres lacks some of the pieces, so it reads all of them.
      await client.query(`delete from ${fileSchema}.positions where topic = $1`, [topics.files]);
    } else if (hasFiles) {
      for (const { topic, partition, offset } of await readEnds(kafka, topics.files)) {
        await client.query(
          `insert into ${fileSchema}.positions (topic, partition, next_offset) values ($1, $2, $3)
           on conflict (topic, partition) do update set next_offset = excluded.next_offset`,
          [topic, partition, String(offset)],
        );
      }
    }
  });
  await storeMark(client, mark);
  await dropWork(client);
}

async function hasQuarantined(client: Client): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from ${liveSchema}.rejected_entries where record_id is not null limit 1`,
  );
  return rowCount === 1;
}

/** The tables of the records agree with the log, except for the entries that did not count in the lost one. */
async function adoptLog(client: Client): Promise<void> {
  await client.query(`update ${liveSchema}.positions set sealed = true where token is not null`);
  await client.query(`delete from ${liveSchema}.rejected_entries`);
}
