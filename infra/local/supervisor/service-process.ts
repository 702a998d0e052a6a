import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '../../../shared/http/observe/register-health.ts';
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

/**
 * The first start of a service. One that ends again and again is given up, with its last words. One that lives is waited
 * for, since what it waits for may take long: a rebuild of the read model, or a command of the operator. `onWaiting` is told
 * which checks of its readiness fail, and that none does.
 */
export async function startService(
  service: Service,
  registry: ChildRegistry,
  onWaiting: (checks: readonly string[]) => void,
): Promise<RunningChild> {
  for (let start = 1; ; start += 1) {
    const child = await spawnService(service, registry);
    if (await waitUntilReady(child, service.readyUrl, onWaiting)) return child;
    if (start === MAX_STARTS) throw giveUp(service, describeExit(await child.exited));
    await sleep(RESTART_DELAY_MS);
  }
}

/** False if the service has ended. */
async function waitUntilReady(
  child: RunningChild,
  readyUrl: string,
  onWaiting: (checks: readonly string[]) => void,
): Promise<boolean> {
  while (!child.hasExited()) {
    const failing = await findFailingChecks(readyUrl);
    onWaiting(failing);
    if (failing.length === 0) return true;
    await sleep(POLL_INTERVAL_MS);
  }
  return false;
}

async function findFailingChecks(readyUrl: string): Promise<readonly string[]> {
  try {
    const response = await fetch(readyUrl, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const { checks } = (await response.json()) as Readiness;
    if (response.status === 200) return [];
    return Object.keys(checks).filter((name) => checks[name] !== true);
  } catch {
    return ['no answer'];
  }
}

function giveUp({ name, log }: Service, exit: string): OperatorError {
  const lastErrors = log.lastErrors().map((line) => `\n  ${line}`);
  return new OperatorError(
    `The ${name} ended ${MAX_STARTS} times in a row while starting (${exit}). Its log is ${log.path}.${lastErrors.length > 0 ? ' Its last errors:' : ''}${lastErrors.join('')}`,
  );
}
