import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type RunningChild, spawnChild } from '../../../infra/local/processes/spawn-child.ts';
import type { AccessFile } from '../../../infra/local/supervisor/access-file.ts';
import type { BenchContext } from '../bench.ts';
import { rounded } from '../median.ts';

interface Installation {
  readonly dataDir: string;
  readonly port: number;
}

const root = join(import.meta.dirname, '..', '..', '..');
const POLL_MS = 20;
const TIMEOUT_MS = 120_000;

/** Returns the seconds from the command to the first 200 of an authenticated read. Stops it again. */
export async function startToFirstAnswer(
  context: BenchContext,
  installation: Installation,
): Promise<number> {
  const startedAt = performance.now();
  const child = await spawnStart(installation);
  context.opened(child.stop);
  while (!(await isAnswering(installation))) {
    if (child.hasExited()) throw new Error('npm start has exited');
    if (performance.now() - startedAt > TIMEOUT_MS)
      throw new Error('npm start does not become ready');
    await sleep(POLL_MS);
  }
  const seconds = rounded((performance.now() - startedAt) / 1000, 2);
  await child.stop();
  return seconds;
}

/** Runs the program of `npm start`, with its own Kafka and Postgres. */
async function spawnStart({ dataDir, port }: Installation): Promise<RunningChild> {
  const child = await spawnChild({
    name: 'npm start',
    command: process.execPath,
    args: [join(root, 'infra', 'bootstrap.mjs'), 'start'],
    env: {
      ...process.env,
      KAFKA_BROKERS: undefined,
      DATABASE_URL: undefined,
      ANNALS_DATA_DIR: dataDir,
      PORT: `${port}`,
      LOG_LEVEL: 'warn',
    },
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 60_000,
  });
  child.stdout?.resume();
  child.stderr?.pipe(process.stderr);
  return child;
}

async function isAnswering({ dataDir, port }: Installation): Promise<boolean> {
  try {
    const access: AccessFile = JSON.parse(readFileSync(join(dataDir, 'access.json'), 'utf8'));
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/Contact?maxSize=1`, {
      headers: { 'X-Api-Key': access.apiKey.apiKey },
    });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
