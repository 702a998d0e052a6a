import { join } from 'node:path';
import { choosePorts } from '../../../infra/local/processes/free-port.ts';
import { spawnChild } from '../../../infra/local/processes/spawn-child.ts';

const entry = join(import.meta.dirname, '..', '..', '..', 'services', 'dispatcher', 'main.ts');

/** Starts a dispatcher alone, which needs no Postgres. Does not wait until it is ready. */
export async function spawnDispatcher(env: NodeJS.ProcessEnv) {
  const { port } = await choosePorts(['port'], {});
  const { exited, stop, stdout, stderr } = await spawnChild({
    name: 'dispatcher',
    command: process.execPath,
    args: [entry],
    env: {
      ...process.env,
      ANNALS_SECRET_KEY: 'ab'.repeat(32),
      INTERNAL_PORT: `${port}`,
      LOG_LEVEL: 'trace',
      ...env,
    },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
  });
  let output = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output += chunk.toString();
    });
  }
  return { exited, stop, url: `http://127.0.0.1:${port}`, output: () => output };
}
