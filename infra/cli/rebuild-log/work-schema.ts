import type { ClientBase } from 'pg';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { tryLock } from '../../../shared/db/try-lock.ts';
import { OperatorError } from '../../local/operator-error.ts';

/** The progress of a run of `rebuild-log` or `restore`, kept in Postgres until it is complete. */
export const workSchema = 'annals_relog';

/** An arbitrary number: only one run at a time. */
const RUN_LOCK = 0x616e6e66;

/** Held until the connection ends. Throws OperatorError while another run has it, of either command and on any machine. */
export async function lockRun(client: ClientBase): Promise<void> {
  if (await tryLock(client, RUN_LOCK)) return;
  throw new OperatorError(
    'Another rebuild-log or restore is running on this Postgres: wait until it has ended.',
  );
}

/** The cluster whose topics the unfinished run made; undefined if there is none. */
export async function findUnfinishedRun(client: ClientBase): Promise<string | undefined> {
  if (!(await hasTable(client, `${workSchema}.run`))) return undefined;
  const { rows } = await client.query<{ cluster: string }>(`select cluster from ${workSchema}.run`);
  return rows[0]?.cluster;
}

/** The number of indexed events of records that are left out. */
export async function countLeftOut(client: ClientBase): Promise<number> {
  const { rows } = await client.query<{ events: number }>(
    `select count(*)::int as events from ${workSchema}.entries where left_out`,
  );
  return rows[0]?.events ?? 0;
}

/** After the mark, which says that the log is whole. */
export async function dropWork(client: ClientBase): Promise<void> {
  await client.query(`drop schema if exists ${workSchema} cascade`);
}

/**
 * Noted before the first topic is made: from then on the topics in this cluster are the run's own. `leavesOut`: the log
 * will have fewer events than the tables, which have to be filled again from it.
 */
export async function noteRun(
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

/** Whether the run that was noted last leaves records out. */
export async function leavesRecordsOut(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `select coalesce((to_jsonb(run) ->> 'leaves_out')::boolean, false) as is from ${workSchema}.run`,
  );
  return rows[0]?.is === true;
}
