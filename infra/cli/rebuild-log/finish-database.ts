import type { Client } from 'pg';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { inTransaction } from '../../../shared/db/in-transaction.ts';
import { fileSchema } from '../../../shared/db/tables/file-tables.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { webhookSchema } from '../../../shared/db/tables/webhook-tables.ts';
import type { Mark } from '../../../shared/installation/mark.ts';
import { storeMark } from '../../../shared/installation/mark-table.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { dropOtherReadModels } from '../other-read-models.ts';
import { dropWork } from './work-schema.ts';

interface FinishDeps {
  readonly client: Client;
  readonly kafka: KafkaConnection;
  readonly topics: TopicNames;
}

/**
 * Makes Postgres agree with the new log. Everything may be done again, and the note of the run goes last. The tables of
 * webhooks name offsets of the lost topics: the projector fills them again.
 */
export async function finishDatabase(
  { client, kafka, topics }: FinishDeps,
  mark: Mark,
): Promise<void> {
  const hasFiles = await hasTable(client, `${fileSchema}.positions`);
  await inTransaction(client, async () => {
    await client.query(`update ${liveSchema}.positions set sealed = true where token is not null`);
    await client.query(`delete from ${liveSchema}.rejected_entries where record_id is null`);
    // Quarantined records stay so. Their entries have other offsets now: negative ones mark those of the former log.
    await client.query(
      `update ${liveSchema}.rejected_entries set log_offset = -1 - log_offset where log_offset >= 0`,
    );
    await client.query(`drop schema if exists ${webhookSchema} cascade`);
    await dropOtherReadModels(client);
    if (hasFiles) {
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
