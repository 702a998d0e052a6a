import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../operator-error.ts';
import type { ChildRegistry } from '../processes/child-registry.ts';
import { describeExit, type RunningChild } from '../processes/spawn-child.ts';
import type { ServiceLog } from './service-log.ts';

export interface Service {
  readonly name: string;
  /** The program to run, a `main.ts`. */
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  readonly readyUrl: string;
  readonly log: ServiceLog;
}

const READY_TIMEOUT_MS = 60_000;
const MAX_STARTS = 3;
const POLL_INTERVAL_MS = 50;
const REQUEST_TIMEOUT_MS = 2_000;
const RESTART_DELAY_MS = 500;

export async function spawnService(
  service: Service,
  registry: ChildRegistry,
): Promise<RunningChild> {
  const child = await registry.spawn({
    name: service.name,
    command: process.execPath,
    args: [service.entry],
    env: service.env,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 20_000,
  });
  service.log.follow(child);
  return child;
}

/** The first start of a service: one that does not come up is given up, with its last words. */
export async function startService(
  service: Service,
  registry: ChildRegistry,
): Promise<RunningChild> {
  const deadline = Date.now() + READY_TIMEOUT_MS;
  for (let start = 1; ; start += 1) {
    const child = await spawnService(service, registry);
    const outcome = await waitUntilReady(child, service.readyUrl, deadline);
    if (outcome === 'ready') return child;
    if (outcome === 'late') {
      throw giveUp(service, `was not ready within ${READY_TIMEOUT_MS / 1000} s`);
    }
    if (start === MAX_STARTS) {
      const exit = describeExit(await child.exited);
      throw giveUp(service, `ended ${start} times in a row while starting (${exit})`);
    }
    await sleep(RESTART_DELAY_MS);
  }
}

/** Asks for readiness until it is there, the service has ended, or the time is over. */
async function waitUntilReady(
  child: RunningChild,
  readyUrl: string,
  deadline: number,
): Promise<'ready' | 'ended' | 'late'> {
  for (;;) {
    if (child.hasExited()) return 'ended';
    if (await isReady(readyUrl)) return 'ready';
    if (Date.now() > deadline) return 'late';
    await sleep(POLL_INTERVAL_MS);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

function giveUp({ name, log }: Service, what: string): OperatorError {
  const lastErrors = log.lastErrors().map((line) => `\n  ${line}`);
  return new OperatorError(
    `The ${name} ${what}. Its log is ${log.path}.${lastErrors.length > 0 ? ' Its last errors:' : ''}${lastErrors.join('')}`,
  );
}
