import type { ClientBase } from 'pg';
import { webhookSchema } from '../../../shared/db/tables/read-model-names.ts';

const DAY_MS = 86_400_000;

/** The column whose date determines the partition. */
const partitioned = { batches: 'enqueued_at', attempts: 'at' } as const;

type PartitionedTable = keyof typeof partitioned;

/**
 * The tables for webhook deliveries. They are in a separate schema, so that a rebuild of the read model does not change
 * them. If the schema is dropped, the projector fills it again from the topics. Times are `timestamp` in UTC, so that
 * days do not depend on the time zone of a session.
 */
export const attemptTables = {
  schema: webhookSchema,
  tables: `
  -- One row per batch, even if it was sent again. The bytes are the same as in the log.
  create table if not exists ${webhookSchema}.batches (
    batch_id text not null,
    webhook_id text not null,
    enqueued_at timestamp(3) not null,
    events integer not null,
    replay_id text,
    batch bytea not null,
    primary key (batch_id, ${partitioned.batches})
  ) partition by range (${partitioned.batches});
  -- A batch is waiting while it has fewer final outcomes than times_enqueued.
  alter table ${webhookSchema}.batches add column if not exists times_enqueued integer not null default 1;
  create index if not exists batches_webhook
    on ${webhookSchema}.batches (webhook_id, enqueued_at desc, batch_id desc);

  create table if not exists ${webhookSchema}.attempts (
    log_partition integer not null,
    log_offset bigint not null,
    batch_id text not null,
    webhook_id text not null,
    attempt integer not null,
    at timestamp(3) not null,
    outcome text not null,
    status integer,
    reason text,
    duration_ms integer not null,
    events integer not null,
    -- The bytes of the attempt, as in the log.
    entry bytea not null,
    primary key (log_partition, log_offset, ${partitioned.attempts})
  ) partition by range (${partitioned.attempts});
  -- The numbers of the batch's events, as in the header of the entry. Null without numbers.
  alter table ${webhookSchema}.attempts add column if not exists sequences text;
  create index if not exists attempts_webhook
    on ${webhookSchema}.attempts (webhook_id, at desc, log_offset desc);
  -- For the list of failing webhooks.
  create index if not exists attempts_failed
    on ${webhookSchema}.attempts (at, webhook_id) where outcome in ('retry', 'dead');
  -- For charts. Attempts arrive almost in the order of their time, so a block range index is enough.
  create index if not exists attempts_at on ${webhookSchema}.attempts using brin (at) with (autosummarize = on);
  create index if not exists attempts_batch on ${webhookSchema}.attempts (batch_id, log_offset desc);
`,
};

/** Creates the missing partitions for the days of these times. */
export async function ensureDays(
  client: ClientBase,
  table: PartitionedTable,
  times: readonly number[],
): Promise<void> {
  const days = new Set(times.map((time) => Math.floor(time / DAY_MS)));
  for (const day of days) {
    const [from, to] = [toDate(day), toDate(day + 1)];
    await client.query(
      `create table if not exists ${webhookSchema}.${partitionName(table, day)}
       partition of ${webhookSchema}.${table} for values from ('${from}') to ('${to}')`,
    );
  }
}

/** Drops the partitions for days that ended before this time (in milliseconds since 1970). */
export async function dropDaysBefore(client: ClientBase, time: number): Promise<void> {
  for (const table of Object.keys(partitioned) as PartitionedTable[]) {
    const { rows } = await client.query<{ name: string }>(
      `select child.relname as name from pg_inherits
       join pg_class child on child.oid = inhrelid
       where inhparent = '${webhookSchema}.${table}'::regclass`,
    );
    const kept = partitionName(table, Math.floor(time / DAY_MS));
    // The names of a table's partitions end with the date, as YYYYMMDD.
    for (const { name } of rows.filter(({ name }) => name < kept)) {
      await client.query(`drop table ${webhookSchema}.${name}`);
    }
  }
}

function partitionName(table: PartitionedTable, day: number): string {
  return `${table}_${toDate(day).replaceAll('-', '')}`;
}

function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
