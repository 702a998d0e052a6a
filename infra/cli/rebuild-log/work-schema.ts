import type { ClientBase } from 'pg';
import { OperatorError } from '../../local/operator-error.ts';

/** The progress of a run of `rebuild-log` or `restore`, kept in Postgres until it is complete. */
export const workSchema = 'annals_relog';

/** An arbitrary number: only one run at a time. */
const RUN_LOCK = 0x616e6e66;

/** Held until the connection ends. Throws OperatorError while another run has it, of either command and on any machine. */
export async function lockRun(client: ClientBase): Promise<void> {
  const { rows } = await client.query('select pg_try_advisory_lock($1) as taken', [RUN_LOCK]);
  if (rows[0]?.taken === true) return;
  throw new OperatorError(
    'Another rebuild-log or restore is running on this Postgres: wait until it has ended.',
  );
}

/** The cluster whose topics the unfinished run made; undefined if there is none. */
export async function findUnfinishedRun(client: ClientBase): Promise<string | undefined> {
  const { rows: found } = await client.query(`select to_regclass('${workSchema}.run') as found`);
  if (found[0]?.found === null) return undefined;
  const { rows } = await client.query<{ cluster: string }>(`select cluster from ${workSchema}.run`);
  return rows[0]?.cluster;
}

/** After the mark, which says that the log is whole. */
export async function dropWork(client: ClientBase): Promise<void> {
  await client.query(`drop schema if exists ${workSchema} cascade`);
}

/** Noted before the first topic is made: from then on the topics in this cluster are the run's own. */
export async function noteRun(client: ClientBase, cluster: string): Promise<void> {
  await client.query(`create schema if not exists ${workSchema};
    create table if not exists ${workSchema}.run (
      is_only boolean primary key default true check (is_only),
      cluster text not null
    )`);
  await client.query(
    `insert into ${workSchema}.run (cluster) values ($1)
     on conflict (is_only) do update set cluster = excluded.cluster`,
    [cluster],
  );
}
