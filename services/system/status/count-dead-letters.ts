import type { ClientBase } from 'pg';
import { webhookSchema } from '../../../shared/db/tables/read-model-names.ts';

export interface DeadLetterCount {
  readonly webhookId: string;
  readonly batches: number;
}

/**
 * Counts dead-lettered batches by webhook, in descending order, within the retention of attempts. A batch that was
 * enqueued again counts until its next attempt.
 */
export async function countDeadLetters(client: ClientBase): Promise<readonly DeadLetterCount[]> {
  const { rows } = await client.query<DeadLetterCount>(
    `select webhook_id as "webhookId", count(*)::int as batches
     from ${webhookSchema}.attempts dead
     where outcome = 'dead' and not exists (
       select from ${webhookSchema}.attempts later
       where later.batch_id = dead.batch_id and later.log_offset > dead.log_offset)
     group by 1 order by 2 desc, 1`,
  );
  return rows;
}
