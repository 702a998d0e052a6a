import type { Client, ClientBase } from 'pg';
import { hasTable } from '../../../shared/db/find-tables.ts';
import { withConnection } from '../../../shared/db/pool.ts';
import { tryLock } from '../../../shared/db/try-lock.ts';
import type { Mark } from '../../../shared/installation/mark.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import { withKafkaForMarks } from '../with-kafka-for-marks.ts';

/** The Postgres schema with the progress of a run of `rebuild-log` or `restore`, kept until the run is complete. */
export const workSchema = 'annals_relog';

/** The context of a run, with its connections. */
export interface Run extends CommandContext {
  readonly client: Client;
  readonly kafka: KafkaConnection;
}

/** Throws OperatorError if the secret key is missing or another run is active. `mark` is the mark of the log. */
export async function withRun<Result>(
  context: CommandContext,
  work: (run: Run) => Promise<Result>,
  mark?: Mark,
): Promise<Result> {
  const { installation } = context;
  return withKafkaForMarks({ ...installation, mark }, (kafka) =>
    withConnection(installation.connect, async (client) => {
      await lockRun(client);
      return work({ ...context, client, kafka });
    }),
  );
}

/** The key of the advisory lock that allows only one run at a time. The number is arbitrary. */
const RUN_LOCK = 0x616e6e66;

/**
 * Takes a lock that is held until the connection ends. Throws OperatorError if another run of either command holds it,
 * on any machine.
 */
export async function lockRun(client: ClientBase): Promise<void> {
  if (await tryLock(client, RUN_LOCK)) return;
  throw new OperatorError(
    'Another rebuild-log or restore is running on this Postgres: wait until it has ended.',
  );
}

/** Returns the cluster in which an unfinished run created its topics; undefined without an unfinished run. */
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

/** Returns the partition that an unfinished run was rewriting, if any. */
export async function findUnfinishedPartition(client: ClientBase): Promise<number | undefined> {
  if (!(await hasTable(client, `${workSchema}.partition_run`))) return undefined;
  const { rows } = await client.query<{ partition: number }>(
    `select partition from ${workSchema}.partition_run`,
  );
  return rows[0]?.partition;
}

export async function recordPartition(client: ClientBase, partition: number): Promise<void> {
  await createWorkTable(client, 'partition_run', 'partition integer not null');
  await client.query(`insert into ${workSchema}.partition_run values ($1)`, [partition]);
}

/**
 * Creates a table of the run, and recreates it if it exists. `kind`: unlogged if a repeated run would recreate the
 * table.
 */
export async function createWorkTable(
  client: ClientBase,
  name: string,
  columns: string,
  kind: 'unlogged' | '' = '',
): Promise<void> {
  await client.query(`create schema if not exists ${workSchema};
    drop table if exists ${workSchema}.${name};
    create ${kind} table ${workSchema}.${name} (${columns})`);
}

/** Must be called only after the mark was written, when the log is complete. */
export async function dropWork(client: ClientBase): Promise<void> {
  await client.query(`drop schema if exists ${workSchema} cascade`);
}

/**
 * Must be called before the first topic is created. From then on, the topics in this cluster belong to the run.
 * `leavesOut`: the log will contain fewer events than the tables, which must then be filled again from the log.
 */
export async function recordRun(
  client: ClientBase,
  cluster: string,
  { leavesOut }: { readonly leavesOut: boolean } = { leavesOut: false },
): Promise<void> {
  await createWorkTable(client, 'run', 'cluster text not null, leaves_out boolean not null');
  await client.query(`insert into ${workSchema}.run values ($1, $2)`, [cluster, leavesOut]);
}

/** Returns whether the last recorded run excludes records. */
export async function leavesRecordsOut(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `select coalesce((to_jsonb(run) ->> 'leaves_out')::boolean, false) as is from ${workSchema}.run`,
  );
  return rows[0]?.is === true;
}
