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
  /** Options of Node, and the program to run, a `main.ts`. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly readyUrl: string;
  readonly log: ServiceLog;
}

/** Maximum number of consecutive ends, each soon after its start. */
const MAX_CONSECUTIVE_ENDS = 3;
/** The initial interval; later a twentieth of the elapsed time, so that polling does not disturb a long rebuild. */
const POLL_INTERVAL_MS = 50;
const MAX_POLL_INTERVAL_MS = 1_000;
const REQUEST_TIMEOUT_MS = 2_000;
const RESTART_DELAY_MS = 500;

export async function spawnService(
  service: Omit<Service, 'readyUrl'>,
  registry: ChildRegistry,
): Promise<RunningChild> {
  const child = await registry.spawn({
    name: service.name,
    command: process.execPath,
    args: service.args,
    env: service.env,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 20_000,
  });
  service.log.follow(child);
  return child;
}

/**
 * Starts a service for the first time. Throws OperatorError if it ends repeatedly or waits in vain. A rebuild of the
 * read model, by this service or another one, may take hours. `onState` receives what the service lacks, and
 * undefined when it is ready.
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
    if (ends === MAX_CONSECUTIVE_ENDS) throw giveUp(service, describeExit(await child.exited));
    await sleep(RESTART_DELAY_MS);
  }
}

interface Waiting {
  readonly onState: (lack: string | undefined) => void;
  /** Returns whether any service is rebuilding the read model, for which the others wait. */
  readonly isRebuilding: () => boolean;
}

/** Returns false if the service has ended. */
async function waitUntilReady(
  child: RunningChild,
  service: Service,
  { onState, isRebuilding }: Waiting,
): Promise<boolean> {
  const startedAt = Date.now();
  while (!child.hasExited()) {
    const lack = await describeLack(service.readyUrl);
    const at = Date.now();
    const wait = service.log.wait();
    const why = describeWait(wait, at);
    onState(lack === undefined || why === undefined ? lack : `${lack}: ${why}`);
    if (lack === undefined) return true;
    const soFar = at - startedAt;
    if (!isRebuilding() && isHopeless(wait, { startedAt, at })) {
      const seconds = Math.round(soFar / 1000);
      throw new OperatorError(
        `The ${service.name} ${lack} after ${seconds} s: ${why ?? 'its log gives no reason'}. See ${service.log.path}.`,
      );
    }
    await sleep(Math.min(Math.max(POLL_INTERVAL_MS, soFar / 20), MAX_POLL_INTERVAL_MS));
  }
  return false;
}

async function describeLack(readyUrl: string): Promise<string | undefined> {
  try {
    const response = await fetch(readyUrl, { signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
    const readiness = (await response.json()) as Readiness;
    if (response.status === 200) return undefined;
    return `is not ready (${listFailing(readiness).join(', ')})`;
  } catch {
    return 'does not respond yet';
  }
}

function giveUp({ name, log }: Service, exit: string): OperatorError {
  const lastErrors = log.lastErrors().map((line) => `\n  ${line}`);
  return new OperatorError(
    `The ${name} ended ${MAX_CONSECUTIVE_ENDS} times in a row while starting (${exit}). See ${log.path}.${lastErrors.length > 0 ? ' Its last errors:' : ''}${lastErrors.join('')}`,
  );
}
