import { hasTable } from '../../../shared/db/find-tables.ts';
import { webhookSchema } from '../../../shared/db/tables/read-model-names.ts';
import { readSequences, sequencesHeader } from '../../../shared/events/event-sequences.ts';
import { asKnown } from '../../../shared/events/later-version.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import { droppedByOperator } from '../../../shared/events/webhook-attempt-codec.ts';
import { decodeWebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { createAppendCoded } from '../../../shared/kafka/append.ts';
import type { PartitionPosition } from '../../../shared/kafka/read-partitions.ts';
import { forEachRows } from '../for-each-rows.ts';
import type { Run } from './work-schema.ts';

interface BatchRow {
  readonly webhook_id: string;
  readonly batch: Buffer;
  readonly times_enqueued: number;
  readonly ended: number;
  readonly is_dead: boolean;
}

export interface WrittenWebhooks {
  readonly batches: number;
  /** The number of batches without an outcome, which will be sent. */
  readonly waiting: number;
  readonly attempts: number;
  /** The positions from which delivery continues: before the first waiting batch of each partition. */
  readonly positions: readonly PartitionPosition[];
}

/**
 * Writes the batches and attempts from Postgres to the log. Batches that have ended come first, so that delivery can
 * start after them. Restores the last sequence number of each webhook that numbers its events.
 */
export async function writeWebhooks(run: Run): Promise<WrittenWebhooks> {
  const { client, kafka, installation } = run;
  const hasBatches = await hasTable(client, `${webhookSchema}.batches`);
  // Projectors of earlier versions did not create the column.
  if (hasBatches)
    await client.query(
      `alter table ${webhookSchema}.attempts add column if not exists sequences text`,
    );
  const attempts = hasBatches ? await writeAttempts(run) : 0;
  const batches = hasBatches ? await writeBatches(run, 'ended') : 0;
  const positions = await readEnds(kafka, installation.topics.webhookBatches);
  const waiting = hasBatches ? await writeBatches(run, 'waiting') : 0;
  if (hasBatches) await writeSequences(run);
  return { batches: batches + waiting, waiting, attempts, positions };
}

/** Each redelivery enqueued the batch again, so the batch is written once per enqueueing. */
async function writeBatches(
  { client, kafka, installation }: Run,
  which: 'ended' | 'waiting',
): Promise<number> {
  const append = createAppendCoded(kafka);
  const { webhookBatches: topic, webhookDeadLetters } = installation.topics;
  const partitions = await kafka.partitionsOf(topic);
  let written = 0;
  await forEachRows<BatchRow>(client, batchesWithEndings, async (rows) => {
    for (const { webhook_id: key, batch: value, ...row } of rows) {
      const ended = Math.min(row.ended, row.times_enqueued);
      const times = which === 'ended' ? ended : row.times_enqueued - ended;
      if (times > 0) {
        const messages = Array.from({ length: times }, () => ({ key, value }));
        await append(topic, partitionOf(key, partitions), messages);
      }
      if (which === 'ended' && row.is_dead) await append(webhookDeadLetters, 0, [{ key, value }]);
      written += times;
    }
  });
  return written;
}

const batchesWithEndings = `
  select webhook_id, batch, times_enqueued,
    (select count(*)::int from ${webhookSchema}.attempts a where a.batch_id = b.batch_id
       and a.outcome <> 'retry' and a.reason is distinct from '${droppedByOperator}') as ended,
    coalesce((select a.outcome = 'dead' from ${webhookSchema}.attempts a where a.batch_id = b.batch_id
       order by at desc, log_offset desc limit 1), false) as is_dead
  from ${webhookSchema}.batches b order by enqueued_at, batch_id`;

interface AttemptRow {
  readonly webhook_id: string;
  readonly log_partition: number;
  readonly entry: Buffer;
  readonly sequences: string | null;
}

async function writeAttempts({ client, kafka, installation }: Run): Promise<number> {
  const append = createAppendCoded(kafka);
  const topic = installation.topics.webhookAttempts;
  let written = 0;
  await forEachRows<AttemptRow>(
    client,
    `select webhook_id, log_partition, entry, sequences from ${webhookSchema}.attempts
     order by log_partition, log_offset`,
    async (rows) => {
      for (const { webhook_id: key, log_partition: partition, entry: value, sequences } of rows) {
        const headers = sequences === null ? {} : { [sequencesHeader]: sequences };
        await append(topic, partition, [{ key, value, headers }]);
      }
      written += rows.length;
    },
  );
  return written;
}

async function writeSequences({ client, kafka, installation }: Run): Promise<void> {
  const last = new Map<string, number>();
  const raise = (id: string, numbers: readonly (number | undefined)[]) =>
    last.set(id, Math.max(last.get(id) ?? 0, ...numbers.map((number = 0) => number)));
  await forEachRows<{ webhook_id: string; batch: Buffer }>(
    client,
    `select webhook_id, batch from ${webhookSchema}.batches`,
    async (rows) => {
      for (const { webhook_id: id, batch } of rows) {
        const numbers = asKnown(() => decodeWebhookBatch(batch)).events.map((one) => one.sequence);
        raise(id, numbers);
      }
    },
  );
  await forEachRows<{ webhook_id: string; sequences: string }>(
    client,
    `select webhook_id, sequences from ${webhookSchema}.attempts where sequences is not null`,
    async (rows) => {
      for (const row of rows) raise(row.webhook_id, readSequences(row.sequences));
    },
  );
  const messages = [...last]
    .filter(([, number]) => number > 0)
    .map(([key, number]) => ({ key, value: Buffer.from(String(number)) }));
  if (messages.length > 0)
    await createAppendCoded(kafka)(installation.topics.webhookSequences, 0, messages);
}
