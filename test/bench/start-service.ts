import { join } from 'node:path';
import { spawnChild } from '../../infra/local/processes/spawn-child.ts';
import type { BenchContext } from './bench.ts';
import { tlsVariables } from './bench-kafka.ts';

export interface StartedService {
  /** Throws if the service has exited on its own. */
  requireRunning(): void;
  stop(): Promise<void>;
}

/** Starts one service of the product as its supervisor would, with exactly this environment. */
export async function startService(
  context: BenchContext,
  name: 'projector' | 'dispatcher',
  env: NodeJS.ProcessEnv,
): Promise<StartedService> {
  const child = await spawnChild({
    name,
    command: process.execPath,
    args: [join(import.meta.dirname, '..', '..', 'services', name, 'main.ts')],
    env: {
      PATH: process.env['PATH'],
      LOG_LEVEL: 'warn',
      INTERNAL_PORT: '0',
      ANNALS_SECRET_KEY: 'ab'.repeat(32),
      // Ends the service even if this process is killed.
      ANNALS_SUPERVISOR_PID: `${process.pid}`,
      ...tlsVariables(),
      ...env,
    },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
  });
  context.opened(child.stop);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-5_000);
    });
  }
  return {
    requireRunning() {
      if (child.hasExited()) throw new Error(`the ${name} has exited:\n${output}`);
    },
    stop: child.stop,
  };
}
