import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../../../infra/local/postgres/find-database-fault.ts';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { spawnChild } from '../../../infra/local/processes/spawn-child.ts';
import { eventually } from '../eventually.ts';

export const hasPooler = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0;

/** The first PgBouncer version that supports named prepared statements. */
const KEEPS_NAMES_FROM = [1, 21] as const;

/** True if PgBouncer is installed in a version that supports named prepared statements. */
export function hasPoolerOfNames(): boolean {
  const { stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' });
  const [, major, minor] = /PgBouncer (\d+)\.(\d+)/.exec(stdout ?? '') ?? [];
  const [fromMajor, fromMinor] = KEEPS_NAMES_FROM;
  return Number(major) > fromMajor || (Number(major) === fromMajor && Number(minor) >= fromMinor);
}

/**
 * Starts a PgBouncer in transaction mode with few connections to each database of a server; `url` leads to
 * the same database.
 */
export async function startPooler(
  databaseUrl: string,
  { keepsNames }: { readonly keepsNames: boolean },
) {
  if (keepsNames && !hasPoolerOfNames()) throw new Error('this PgBouncer keeps no statements');
  const { pooler: port } = await choosePorts(['pooler'], {});
  const { hostname, port: serverPort, username, password, pathname } = new URL(databaseUrl);
  const directory = mkdtempSync(join(tmpdir(), 'annals-pooler-'));
  // PgBouncer does not run as root.
  chmodSync(directory, 0o711);
  const settings = join(directory, 'pgbouncer.ini');
  const server = `host=${hostname} port=${serverPort} user=${username} password=${decodeURIComponent(password)}`;
  writeFileSync(
    settings,
    [
      '[databases]',
      `* = ${server}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 3',
      'max_client_conn = 1000',
      ...(hasPoolerOfNames() ? [`max_prepared_statements = ${keepsNames ? 200 : 0}`] : []),
    ].join('\n'),
  );
  const account = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  const child = await spawnChild({
    name: 'pgbouncer',
    command: 'pgbouncer',
    args: [...account, settings],
    // Logs to a file, because PgBouncer would block on an unread pipe.
    logFile: join(directory, 'log'),
    stopSignal: 'SIGINT',
    stopTimeoutMs: 5_000,
  });
  const url = `postgres://annals@127.0.0.1:${port}${pathname}`;
  await eventually(() => withClient(url, (client) => client.query('select 1')));
  return {
    url,
    stop: async () => {
      await child.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
