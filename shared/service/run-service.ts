import type { Logger } from 'pino';
import { ConfigurationError, readEnv } from '../config/env.ts';
import { type Clock, systemClock } from '../runtime/clock.ts';
import { createLifecycle, type Lifecycle } from '../runtime/lifecycle.ts';
import { createLogger } from '../runtime/logger.ts';
import { createMetrics, type Metrics } from '../runtime/metrics.ts';
import { currentRequest } from '../runtime/trace.ts';
import { watchProcess } from '../runtime/watch-process.ts';
import { countBugs } from './count-bugs.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface ServiceContext<Config> {
  readonly config: Config;
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  readonly clock: Clock;
  /** Logs an error that the process must not survive, and exits immediately; the supervisor restarts the process. */
  readonly crash: (error: unknown) => void;
  /** Reports an unexpected error in one request. The process survives such errors unless they are frequent. */
  readonly reportBug: () => void;
  /** Stops gracefully and exits with code 1, for reasons to restart that leave time to finish. */
  readonly restart: (reason: string) => void;
}

/** In addition to DRAIN_TIME. */
const GRACE_MS = 15_000;
const SUPERVISOR_POLL_MS = 1_000;

/**
 * Runs a service process: configured → started → running → stopping → exit. SIGTERM, SIGINT and the exit of the
 * supervisor (`ANNALS_SUPERVISOR_PID`) stop it gracefully, even while it is starting. Prints configuration problems and
 * exits with code 1. An uncaught error fails its request; outside a request it is fatal, with exit code 1.
 */
export async function runService<
  Config extends { readonly logLevel: string; readonly drainMs?: number },
>(service: {
  readonly name: string;
  readonly env: Env;
  readonly loadConfig: (env: Env) => Config;
  readonly start: (context: ServiceContext<Config>) => Promise<void>;
}): Promise<void> {
  const { name, env, start } = service;
  const loaded = loadOrExit(env, service.loadConfig);
  const log = createLogger({ service: name, level: loaded.config.logLevel });
  const lifecycle = createLifecycle(log, GRACE_MS + (loaded.config.drainMs ?? 0));
  const crash = (err: unknown): void => {
    log.fatal({ err }, 'crashed');
    process.exit(1);
  };
  const failRequest = (error: unknown): void => {
    const request = currentRequest();
    if (request === undefined) crash(error);
    else request.fail(error);
  };
  process.on('uncaughtException', failRequest);
  process.on('unhandledRejection', failRequest);

  const stop = (reason: string): void => {
    // `stop` never rejects, and reports failures through process.exitCode.
    void lifecycle.stop(reason).then(() => process.exit());
  };
  const restart = (reason: string): void => {
    process.exitCode = 1;
    stop(reason);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => stop(signal));
  if (loaded.supervisorPid !== undefined) {
    watchProcess({
      pid: loaded.supervisorPid,
      intervalMs: SUPERVISOR_POLL_MS,
      onGone: () => stop('the supervisor has ended'),
    });
  }

  try {
    const metrics = createMetrics(name);
    const bugs = countBugs(() => performance.now(), restart);
    metrics.read('annals_request_failures_total', bugs.total);
    const common = { log, lifecycle, metrics, clock: systemClock, crash, restart };
    await start({ config: loaded.config, ...common, reportBug: bugs.report });
  } catch (error) {
    // A start that is stopped midway fails, because its parts are closed. This failure is not reported.
    if (!lifecycle.isStopping()) crash(error);
  }
}

function loadOrExit<Config>(env: Env, loadConfig: (env: Env) => Config) {
  try {
    return { config: loadConfig(env), supervisorPid: readSupervisorPid(env) };
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return process.exit(1);
  }
}

function readSupervisorPid(env: Env): number | undefined {
  const read = readEnv(env);
  if (read.optionalText('ANNALS_SUPERVISOR_PID') === undefined) return undefined;
  const pid = read.int('ANNALS_SUPERVISOR_PID', { min: 1 });
  read.done();
  return pid;
}
