import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFileSync, chownSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';
import { findPostgresPlaces } from '../../../infra/local/postgres/postgres-places.ts';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { spawnChild } from '../../../infra/local/processes/spawn-child.ts';
import { eventually } from '../eventually.ts';
import { makeTestDirectory } from './test-infrastructure.ts';

/** Starts a streaming replica of a Postgres on this machine; `url` leads to the same database in it. */
export async function startReplica(databaseUrl: string) {
  const queryPrimary = (statement: string) =>
    withClient(databaseUrl, async (client) => client.query(statement));
  const dataDir = makeTestDirectory();
  const { programs, storage, account } = findPostgresPlaces(dataDir);
  // Keeps the write-ahead log for as long as the replica needs it.
  const slot = `replica_${randomBytes(4).toString('hex')}`;
  await queryPrimary(`select pg_create_physical_replication_slot('${slot}', true)`);
  const label = await copyStorage(databaseUrl, storage);
  const { hostname, port: primaryPort, username, password } = new URL(databaseUrl);
  const from = `host=${hostname} port=${primaryPort} user=${username} password=${decodeURIComponent(password)}`;
  appendFileSync(
    join(storage, 'postgresql.auto.conf'),
    `primary_conninfo = '${from}'\nprimary_slot_name = '${slot}'\n`,
  );
  for (const [name, content] of Object.entries({ backup_label: label, 'standby.signal': '' })) {
    writeFileSync(join(storage, name), content);
    if (account !== undefined) chownSync(join(storage, name), account.uid, account.gid);
  }
  const { replica: port } = await choosePorts(['replica'], {});
  const settings = { listen_addresses: '127.0.0.1', unix_socket_directories: '', port: `${port}` };
  // A replica needs at least the primary's connections; the time zone affects results.
  const asPrimary = { max_connections: '200', timezone: 'UTC' };
  const child = await spawnChild({
    name: 'replica',
    command: join(programs, 'bin', 'postgres'),
    args: [
      '-D',
      storage,
      ...Object.entries({ ...settings, ...asPrimary }).flatMap(([name, value]) => [
        '-c',
        `${name}=${value}`,
      ]),
    ],
    env: { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' },
    cwd: '/',
    ...(account === undefined ? {} : { account }),
    logFile: join(dataDir, 'replica.log'),
    stopSignal: 'SIGINT',
    stopTimeoutMs: 10_000,
  });
  const url = new URL(databaseUrl);
  url.port = `${port}`;
  const query = async (statement: string) =>
    withClient(url.href, async (client) => (await client.query(statement)).rows);
  await eventually(() => query('select 1'), { timeoutMs: 30_000 });
  return {
    url: url.href,
    query,
    pause: () => query('select pg_wal_replay_pause()'),
    resume: () => query('select pg_wal_replay_resume()'),
    stop: async () => {
      if (child.hasExited()) return;
      await child.stop();
      await eventually(() => queryPrimary(`select pg_drop_replication_slot('${slot}')`));
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Copies the data and returns the content of `backup_label`. The write-ahead log is streamed starting with the copy.
 */
async function copyStorage(databaseUrl: string, storage: string): Promise<string> {
  return withClient(databaseUrl, async (client) => {
    await client.query("select pg_backup_start('replica', true)");
    const { rows } = await client.query('show data_directory');
    // Files that disappear meanwhile are harmless: the log contains their changes.
    spawnSync('cp', ['-a', rows[0]?.data_directory, storage]);
    rmSync(join(storage, 'postmaster.pid'), { force: true });
    const wal = join(storage, 'pg_wal');
    spawnSync('find', [wal, '-type', 'f', '-delete']);
    const stopped = await client.query('select labelfile from pg_backup_stop(false)');
    return stopped.rows[0]?.labelfile;
  });
}
