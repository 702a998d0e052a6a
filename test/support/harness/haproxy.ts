import { spawnSync } from 'node:child_process';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawnChild } from '../../../infra/local/processes/spawn-child.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'infra', 'haproxy');

export const haproxyObstacle =
  spawnSync('haproxy', ['-v']).status === 0 ? undefined : 'haproxy is missing';

/** The ports that replace the containers' addresses in the configuration of docker compose. */
export interface HaproxyPorts {
  readonly clients: number;
  readonly secure: number;
  readonly internal: number;
  /** By name of the process: api-1, api-2, query-1, query-2. */
  readonly servers: ReadonlyMap<string, { readonly http: number; readonly internal: number }>;
}

/** Writes the configuration of docker compose with other ports into the directory. */
function writeConfig(directory: string, ports: HaproxyPorts, certificates: string): string {
  const lines = readFileSync(join(folder, 'haproxy.cfg'), 'utf8').split('\n').map(toLocal);
  const path = join(directory, 'haproxy.cfg');
  writeFileSync(path, lines.join('\n'));
  copyFileSync(join(folder, 'api-only.lst'), join(directory, 'api-only.lst'));
  return path;

  function toLocal(line: string): string {
    const [, name = ''] = / (\S+):8080\b/.exec(line) ?? [];
    const server = ports.servers.get(name);
    if (server !== undefined) {
      const check = line.endsWith('backup') ? '' : ` port ${server.internal}`;
      return line.replace(`${name}:8080`, `127.0.0.1:${server.http}${check}`);
    }
    return line
      .replace('bind :8080', `bind 127.0.0.1:${ports.clients}`)
      .replace('bind :8443', `bind 127.0.0.1:${ports.secure}`)
      .replace('bind :9090', `bind 127.0.0.1:${ports.internal}`)
      .replace('/certificates/', `${certificates}/`)
      .replace(' port 9090', '');
  }
}

/** Starts HAProxy with the configuration of docker compose and other ports. */
export async function startHaproxy(directory: string, ports: HaproxyPorts, certificates: string) {
  const path = writeConfig(directory, ports, certificates);
  const child = await spawnChild({
    name: 'haproxy',
    command: 'haproxy',
    args: ['-W', '-db', '-f', path],
    env: { ...process.env, ANNALS_CERTIFICATES: certificates },
    logFile: join(directory, 'haproxy.log'),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5_000,
  });
  return { pid: child.pid, stop: child.stop };
}
