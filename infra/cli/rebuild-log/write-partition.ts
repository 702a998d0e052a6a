import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import {
  decodeLogEntry,
  encodeEvent,
  encodeFence,
} from '../../../shared/events/log-entry-codec.ts';
import { readVersions } from '../../../shared/events/schema-versions.ts';
import { forEachRows } from '../for-each-rows.ts';
import { createPartitionAppender, type PartitionAppender } from '../partition-entries.ts';
import type { PartitionPlan } from './plan-partitions.ts';
import { createWorkTable, type Run, workSchema } from './work-schema.ts';

interface EntryRow {
  readonly token: string;
  readonly record_id: string;
  /** The sequence number in the new log. It is lower than the old one if earlier events are excluded. */
  readonly number: number;
  readonly sequence: number;
  readonly event: Buffer;
}

/**
 * Writes a partition of the directory or of the records: a fence for each writer, followed by the writer's events with
 * their original bytes. All codes are computed again, and each fence seals the log.
 */
export async function writePartition(
  { client, kafka }: Run,
  plan: PartitionPlan,
  onProgress: (entries: number) => void,
): Promise<void> {
  const { topic, partition, epochs, lastToken } = plan;
  const appender = createPartitionAppender(kafka, { topic, partition }, onProgress);
  let token: string | null = null;
  for (let filled = 0; filled < plan.filling; filled += 1)
    token = await addFence(appender, randomUUID(), token);
  await storeOrder(client, plan);
  await forEachRows<EntryRow>(client, selectEntries(client, plan), async (rows) => {
    for (const row of rows) {
      if (row.token !== token) token = await addFence(appender, row.token, token);
      await appender.add({ key: row.record_id, value: toBytes(row) });
    }
  });
  const isLastEmpty = lastToken !== null && epochs.every((epoch) => epoch.token !== lastToken);
  if (isLastEmpty) await addFence(appender, lastToken, token);
  await appender.flush();
}

/** Returns the event's bytes from the history, encoded again only if its sequence number changes. */
function toBytes({ event: bytes, number, sequence }: EntryRow): Buffer {
  if (number === sequence) return bytes;
  const entry = decodeLogEntry(bytes);
  if (entry.kind !== 'event') throw new Error('the history contains an entry that is not an event');
  return encodeEvent({ ...entry.event, sequence: number }, readVersions);
}

/** The discard port: no server listens there, so apis take over the partition immediately. */
const DISCARD_ADDRESS = 'http://127.0.0.1:9';

/** Returns the new token. */
async function addFence(
  appender: PartitionAppender,
  token: string,
  prevToken: string | null,
): Promise<string> {
  const by = { owner: 'rebuild-log', address: DISCARD_ADDRESS, occurredAt: Date.now() };
  await appender.add({
    key: 'fence',
    value: encodeFence({ token, prevToken, ...by }),
    seals: true,
  });
  return token;
}

async function storeOrder(client: Client, { epochs }: PartitionPlan): Promise<void> {
  const columns = 'token text primary key, place integer not null';
  await createWorkTable(client, 'epochs', columns, 'unlogged');
  await client.query(
    `insert into ${workSchema}.epochs select * from unnest($1::text[], $2::int[])`,
    [epochs.map(({ token }) => token), epochs.map((_, place) => place)],
  );
}

function selectEntries(client: Client, { topic, partition }: PartitionPlan): string {
  return `select token, record_id, event, sequence::int,
      (row_number() over (partition by token order by sequence))::int as number
    from ${workSchema}.entries join ${workSchema}.epochs using (token)
      join ${liveSchema}.record_history using (entity_type, record_id, version)
    where topic = ${client.escapeLiteral(topic)} and partition = ${partition}
      and not left_out
    order by place, sequence`;
}
