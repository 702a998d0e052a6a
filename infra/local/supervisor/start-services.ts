import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { listFailing, type Readiness } from '../../../shared/http/observe/register-health.ts';
import { OperatorError } from '../operator-error.ts';
import type { ChildRegistry } from '../processes/child-registry.ts';
import { openLogFile } from '../processes/log-file.ts';
import { describeExit, type RunningChild } from '../processes/spawn-child.ts';
import type { Terminal } from '../terminal.ts';
import { type KeptPart, STEADY_AFTER_MS } from './keep-running.ts';
import { isErrorLine, toTerminalLine } from './log-line.ts';
import type { Instance } from './plan-instances.ts';
import type { RunPorts } from './run-ports.ts';
import {
  namesSetByStart,
  type ServiceSurroundings,
  toReadyUrl,
  toServiceEnvironment,
} from './service-environment.ts';
import { describeWait, isHopeless, type ServiceWait, updateWait } from './service-wait.ts';
import type { WatchedSources } from './watch-sources.ts';

export type StartedService = Omit<KeptPart, 'onStarted'>;

interface Starting {
  readonly surroundings: ServiceSurroundings;
  readonly ports: RunPorts;
  readonly logDirectory: string;
  readonly registry: ChildRegistry;
  readonly terminal: Terminal;
  /** Only for `npm run dev`. */
  readonly development:
    | {
        readonly sources: WatchedSources;
        readonly inspectorOptions: (instance: string) => readonly string[];
      }
    | undefined;
  readonly onReady: (service: StartedService) => void;
}

/** Starts all processes in parallel, reports each one when it is ready, and waits until all are. */
export async function startServices(
  instances: readonly Instance[],
  starting: Starting,
): Promise<void> {
  const { terminal, registry, development, onReady } = starting;
  const names = instances.map(({ name }) => name).join(', ');
  const lacking = new Map<string, string | undefined>();
  const services = instances.map((instance) => toService(instance, starting));
  const isRebuilding = () => services.some(({ log }) => log.wait().rebuild !== undefined);
  const describeLacking = () =>
    [...lacking]
      .flatMap(([name, lacks]) => (lacks === undefined ? [] : `${name} ${lacks}`))
      .join('; ');
  const startOne = async (service: Service): Promise<void> => {
    const { name, program, log } = service;
    const onState = (lacks: string | undefined) => lacking.set(name, lacks);
    onReady({
      name,
      process: await startService(service, registry, { onState, isRebuilding }),
      startAgain: () => spawnService(service, registry),
      lastErrors: log.lastErrors,
      untilChange: development && (() => development.sources.untilChange(program)),
    });
  };
  await terminal.during(`Starting ${names}`, Promise.all(services.map(startOne)), describeLacking);
}

/** An api behind a load balancer has a separate port on the loopback interface. */
function toService({ name, service: program, entry }: Instance, starting: Starting): Service {
  const { surroundings, ports, development, logDirectory, terminal } = starting;
  const healthPort = ports.health.get(name) ?? 0;
  const port = ports.http.get(name);
  const place = port === undefined ? surroundings : { ...surroundings, host: '127.0.0.1', port };
  const balancedApis = [...ports.http].map(([api, http]) => `${http}/${ports.health.get(api)}`);
  const variables = toServiceEnvironment(program, place, { healthPort, balancedApis });
  const chosen = namesSetByStart(surroundings.env, variables).join(',');
  return {
    name,
    program,
    args: [...(development?.inspectorOptions(name) ?? []), entry],
    env: { ...variables, ANNALS_SET_BY_START: chosen },
    // A process with an inspector exits only after all debuggers have disconnected.
    stopTimeoutMs: development === undefined ? 20_000 : 2_000,
    readyUrl: toReadyUrl(healthPort),
    log: openServiceLog(name, logDirectory, terminal),
  };
}

interface Service {
  readonly name: string;
  readonly program: Instance['service'];
  /** Options for Node, followed by the program to run, a `main.ts`. */
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
  readonly stopTimeoutMs: number;
  readonly readyUrl: string;
  readonly log: ServiceLog;
}

/** Number of consecutive exits during the start after which the supervisor gives up. */
const MAX_CONSECUTIVE_ENDS = 3;
/** The initial interval; later a twentieth of the elapsed time, so that polling does not disturb a long rebuild. */
const POLL_INTERVAL_MS = 50;
const MAX_POLL_INTERVAL_MS = 1_000;
const REQUEST_TIMEOUT_MS = 2_000;
const RESTART_DELAY_MS = 500;

export async function spawnService(
  service: Omit<Service, 'program' | 'readyUrl'>,
  registry: ChildRegistry,
): Promise<RunningChild> {
  const child = await registry.spawn({
    name: service.name,
    command: process.execPath,
    args: service.args,
    env: service.env,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: service.stopTimeoutMs,
  });
  service.log.follow(child);
  return child;
}

/**
 * Starts a service for the first time. Throws OperatorError if it exits repeatedly or does not become ready in time. A
 * rebuild of the read model, by this service or another one, may take hours. `onState` receives what the service is
 * waiting for, and undefined once it is ready.
 */
async function startService(
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
  /** Returns true if any service is rebuilding the read model, because the others then wait for it. */
  readonly isRebuilding: () => boolean;
}

/** Returns false if the service has exited. */
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

/** The log file of one service across its restarts. Warnings and errors are also printed in the terminal. */
interface ServiceLog {
  readonly path: string;
  follow(child: RunningChild): void;
  /** Returns the last errors, formatted for the terminal. */
  lastErrors(): readonly string[];
  /** Returns the reason or the progress of the service's wait, according to its log. */
  wait(): ServiceWait;
}

const KEPT_ERRORS = 12;

export function openServiceLog(service: string, directory: string, terminal: Terminal): ServiceLog {
  const path = join(directory, `${service}.log`);
  const file = openLogFile(path, {
    // A full disk affects the log, not the service.
    onError: (error) => terminal.warn(`Cannot write ${path}: ${String(error)}`),
  });
  let errors: readonly string[] = [];
  let wait: ServiceWait = {};

  const handleLine = (line: string): void => {
    file.write(line);
    wait = updateWait(wait, line, Date.now());
    const shown = toTerminalLine(service, line);
    if (shown !== undefined) terminal.print(shown);
    if (isErrorLine(line)) errors = [...errors, shown ?? line].slice(-KEPT_ERRORS);
  };

  return {
    path,
    follow(child) {
      errors = [];
      for (const stream of [child.stdout, child.stderr]) {
        if (stream !== null) createInterface({ input: stream }).on('line', handleLine);
      }
    },
    lastErrors: () => errors,
    wait: () => wait,
  };
}
