import type { Client } from 'pg';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { inTransaction } from '../../../shared/db/in-transaction.ts';
import { fileSchema } from '../../../shared/db/tables/file-tables.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { webhookSchema } from '../../../shared/db/tables/webhook-tables.ts';
import type { Mark } from '../../../shared/installation/mark.ts';
import { storeMark } from '../../../shared/installation/mark-table.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import { dropOtherReadModels } from '../other-read-models.ts';
import { hasTail } from './tail.ts';
import { dropWork, leavesRecordsOut, type Run } from './work-schema.ts';

/** Returns an empty list before the first file. */
export async function loadFilePositions(client: Client): Promise<readonly PartitionPosition[]> {
  if (!(await hasTable(client, `${fileSchema}.positions`))) return [];
  const { rows } = await client.query<{ topic: string; partition: number; next: string }>(
    `select topic, partition, next_offset as next from ${fileSchema}.positions`,
  );
  return rows.map(({ next, ...place }) => ({ ...place, offset: BigInt(next) }));
}

/**
 * Makes Postgres agree with the new log. Everything can be repeated, and the record of the run is removed last. The
 * tables of webhooks contain offsets of the lost topics, so the projector fills them again.
 */
export async function finishDatabase(
  { client, kafka, installation }: Run,
  mark: Mark,
): Promise<void> {
  const { files } = installation.topics;
  const hasFiles = await hasTable(client, `${fileSchema}.positions`);
  const isStale = (await leavesRecordsOut(client)) || (await hasQuarantined(client));
  await inTransaction(client, async () => {
    // Tables with records that the log does not have, or without records that it has, are filled again from it. The others
    // agree with it, except for the entries that did not count in the lost log.
    if (isStale) await client.query(`drop schema if exists ${liveSchema} cascade`);
    else
      await client.query(`update ${liveSchema}.positions set sealed = true where token is not null;
        delete from ${liveSchema}.rejected_entries`);
    await client.query(`drop schema if exists ${webhookSchema} cascade`);
    await dropOtherReadModels(client);
    if (hasFiles && (await hasTail(client, files))) {
      // Postgres lacks some of the pieces, so it reads all of them.
      await client.query(`delete from ${fileSchema}.positions where topic = $1`, [files]);
    } else if (hasFiles) {
      for (const { topic, partition, offset } of await readEnds(kafka, files)) {
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
