import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../../../infra/local/postgres/ask-database.ts';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { spawnChild } from '../../../infra/local/processes/spawn-child.ts';
import { eventually } from '../eventually.ts';

export const hasPooler = (): boolean => spawnSync('pgbouncer', ['--version']).status === 0;

/** A PgBouncer that has few connections to the database, and gives each to one transaction at a time. */
export async function startPooler(databaseUrl: string) {
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
      `annals = ${server} dbname=${pathname.slice(1)}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 3',
      'max_client_conn = 200',
    ].join('\n'),
  );
  const account = process.getuid?.() === 0 ? ['--user', 'nobody'] : [];
  const child = await spawnChild({
    name: 'pgbouncer',
    command: 'pgbouncer',
    args: [...account, settings],
    stopSignal: 'SIGINT',
    stopTimeoutMs: 5_000,
  });
  const url = `postgres://annals@127.0.0.1:${port}/annals`;
  await eventually(() => withClient(url, (client) => client.query('select 1')));
  return {
    url,
    stop: async () => {
      await child.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
