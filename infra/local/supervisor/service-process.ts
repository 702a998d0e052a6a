import { setTimeout as sleep } from 'node:timers/promises';
import { listFailing, type Readiness } from '../../../shared/http/observe/register-health.ts';
import { OperatorError } from '../operator-error.ts';
import type { ChildRegistry } from '../processes/child-registry.ts';
import { describeExit, type RunningChild } from '../processes/spawn-child.ts';
import { STEADY_AFTER_MS } from './keep-running.ts';
import type { ServiceLog } from './service-log.ts';
import { describeWait, isHopeless } from './service-wait.ts';

export interface Service {
  readonly name: string;
  /** The program to run, a `main.ts`. */
  readonly entry: string;
  readonly env: NodeJS.ProcessEnv;
  readonly readyUrl: string;
  readonly log: ServiceLog;
}

/** In a row, each soon after its start. */
const MAX_ENDS = 3;
/** At first; then a twentieth of the time that it took so far, so that a long rebuild is not disturbed. */
const POLL_INTERVAL_MS = 50;
const LONGEST_POLL_INTERVAL_MS = 1_000;
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
 * The first start of a service. Throws OperatorError if it ends again and again, or waits for something that does not
 * come. A rebuild of the read model, of this service or another one, may take hours. `onState` gets what the service
 * lacks, and undefined when it is ready.
 */
export async function startService(
  service: Service,
  registry: ChildRegistry,
  { onState, isRebuilding }: Waiting,
): Promise<RunningChild> {
  let ends = 0;
  for (;;) {
    const startedAt = Date.now();
    const child = await spawnService(service, registry);
    if (await waitUntilReady(child, service, { onState, isRebuilding })) return child;
    ends = Date.now() - startedAt > STEADY_AFTER_MS ? 1 : ends + 1;
    if (ends === MAX_ENDS) throw giveUp(service, describeExit(await child.exited));
    await sleep(RESTART_DELAY_MS);
  }
}

interface Waiting {
  readonly onState: (lacks: string | undefined) => void;
  /** Whether any service rebuilds the read model, which the others wait for. */
  readonly isRebuilding: () => boolean;
}

/** False if the service has ended. */
async function waitUntilReady(
  child: RunningChild,
  service: Service,
  { onState, isRebuilding }: Waiting,
): Promise<boolean> {
  const startedAt = Date.now();
  while (!child.hasExited()) {
    const lacks = await findLacks(service.readyUrl);
    const at = Date.now();
    const wait = service.log.wait();
    const why = describeWait(wait, at);
    onState(lacks === undefined || why === undefined ? lacks : `${lacks}: ${why}`);
    if (lacks === undefined) return true;
    const soFar = at - startedAt;
    if (!isRebuilding() && isHopeless(wait, { startedAt, at })) {
      const seconds = Math.round(soFar / 1000);
      throw new OperatorError(
        `The ${service.name} ${lacks} after ${seconds} s: ${why ?? 'it gives no reason'}. Its log is ${service.log.path}.`,
      );
    }
    await sleep(Math.min(Math.max(POLL_INTERVAL_MS, soFar / 20), LONGEST_POLL_INTERVAL_MS));
  }
  return false;
}

async function findLacks(readyUrl: string): Promise<string | undefined> {
  try {
    const response = await fetch(readyUrl, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const readiness = (await response.json()) as Readiness;
    if (response.status === 200) return undefined;
    return `is not ready (${listFailing(readiness).join(', ')})`;
  } catch {
    return 'does not answer yet';
  }
}

function giveUp({ name, log }: Service, exit: string): OperatorError {
  const lastErrors = log.lastErrors().map((line) => `\n  ${line}`);
  return new OperatorError(
    `The ${name} ended ${MAX_ENDS} times in a row while starting (${exit}). Its log is ${log.path}.${lastErrors.length > 0 ? ' Its last errors:' : ''}${lastErrors.join('')}`,
  );
}
