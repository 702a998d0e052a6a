import type { ClientBase } from 'pg';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { tryLock } from '../../../shared/db/try-lock.ts';
import { OperatorError } from '../../local/operator-error.ts';

/** The progress of a run of `rebuild-log` or `restore`, kept in Postgres until it is complete. */
export const workSchema = 'annals_relog';

/** An arbitrary number: only one run at a time. */
const RUN_LOCK = 0x616e6e66;

/**
 * Takes a lock that is held until the connection ends. Throws OperatorError while another run of either command, on
 * any machine, holds it.
 */
export async function lockRun(client: ClientBase): Promise<void> {
  if (await tryLock(client, RUN_LOCK)) return;
  throw new OperatorError(
    'Another rebuild-log or restore is running on this Postgres: wait until it has ended.',
  );
}

/** Returns the cluster whose topics the unfinished run created; undefined if none exists. */
export async function findUnfinishedRun(client: ClientBase): Promise<string | undefined> {
  if (!(await hasTable(client, `${workSchema}.run`))) return undefined;
  const { rows } = await client.query<{ cluster: string }>(`select cluster from ${workSchema}.run`);
  return rows[0]?.cluster;
}

/** Returns the number of indexed events of excluded records. */
export async function countLeftOut(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ events: number }>(
    `select count(*)::int as events from ${workSchema}.entries where left_out`,
  );
  return rows[0]?.events ?? 0;
}

/** Throws OperatorError if `rebuild-log --replace --partition` has to finish first. */
export async function refuseUnfinishedPartition(client: ClientBase): Promise<void> {
  const unfinished = await findUnfinishedPartition(client);
  if (unfinished === undefined) return;
  throw new OperatorError(
    `A run of annals rebuild-log --replace --partition ${unfinished.partition} was interrupted: repeat it first.`,
  );
}

export interface UnfinishedPartition {
  readonly partition: number;
  /** The offset of the first entry that the run wrote; null before it began to write. */
  readonly first: bigint | null;
}

/** Returns the partition that an unfinished run was rewriting. */
export async function findUnfinishedPartition(
  client: ClientBase,
): Promise<UnfinishedPartition | undefined> {
  if (!(await hasTable(client, `${workSchema}.partition_run`))) return undefined;
  const { rows } = await client.query<{ partition: number; first_offset: string | null }>(
    `select partition, first_offset from ${workSchema}.partition_run`,
  );
  const [row] = rows;
  if (row === undefined) return undefined;
  const { partition, first_offset: first } = row;
  return { partition, first: first === null ? null : BigInt(first) };
}

export async function recordPartition(
  client: ClientBase,
  { partition, first }: UnfinishedPartition,
): Promise<void> {
  await client.query(`create schema if not exists ${workSchema};
    create table if not exists ${workSchema}.partition_run (
      is_only boolean primary key default true check (is_only),
      partition integer not null,
      first_offset bigint
    )`);
  await client.query(
    `insert into ${workSchema}.partition_run (partition, first_offset) values ($1, $2)
     on conflict (is_only) do update set first_offset = excluded.first_offset`,
    [partition, first === null ? null : String(first)],
  );
}

/** Called after the mark was written, which means that the log is complete. */
export async function dropWork(client: ClientBase): Promise<void> {
  await client.query(`drop schema if exists ${workSchema} cascade`);
}

/**
 * Called before the first topic is created: from then on the topics in this cluster belong to the run. `leavesOut`:
 * the log will have fewer events than the tables, which have to be filled again from it.
 */
export async function recordRun(
  client: ClientBase,
  cluster: string,
  { leavesOut }: { readonly leavesOut: boolean } = { leavesOut: false },
): Promise<void> {
  await client.query(`create schema if not exists ${workSchema};
    create table if not exists ${workSchema}.run (
      is_only boolean primary key default true check (is_only),
      cluster text not null
    );
    alter table ${workSchema}.run add column if not exists leaves_out boolean not null default false`);
  await client.query(
    `insert into ${workSchema}.run (cluster, leaves_out) values ($1, $2)
     on conflict (is_only) do update set cluster = excluded.cluster, leaves_out = excluded.leaves_out`,
    [cluster, leavesOut],
  );
}

/** Returns whether the last recorded run excludes records. */
export async function leavesRecordsOut(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `select coalesce((to_jsonb(run) ->> 'leaves_out')::boolean, false) as is from ${workSchema}.run`,
  );
  return rows[0]?.is === true;
}
