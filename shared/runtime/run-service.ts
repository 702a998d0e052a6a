import type { Logger } from 'pino';
import { ConfigurationError } from '../config/configuration-error.ts';
import { readEnv } from '../config/env.ts';
import { createLifecycle, type Lifecycle } from './lifecycle.ts';
import { createLogger } from './logger.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { watchProcess } from './watch-process.ts';

type Env = Readonly<Record<string, string | undefined>>;

export interface ServiceContext<Config> {
  readonly config: Config;
  readonly log: Logger;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
  /** For what must not be survived: logs and ends the process at once; whoever supervises starts it again. */
  readonly crash: (error: unknown) => void;
  /** For what should not be survived either, but leaves time to finish: stops in order and ends with code 1. */
  readonly restart: (reason: string) => void;
}

const graceMs = 15_000;
const supervisorPollMs = 1_000;

/**
 * The life of a service process: configured → started → running → stopping → exit.
 * SIGTERM, SIGINT and the end of the supervisor (`ANNALS_SUPERVISOR_PID`) stop it in order, also while it still
 * starts. A wrong configuration is told in plain words, code 1. Whatever else is thrown is fatal, code 1.
 */
export async function runService<Config extends { readonly logLevel: string }>(service: {
  readonly name: string;
  readonly env: Env;
  readonly loadConfig: (env: Env) => Config;
  readonly start: (context: ServiceContext<Config>) => Promise<void>;
}): Promise<void> {
  const { name, env, start } = service;
  const loaded = loadOrExit(env, service.loadConfig);
  const log = createLogger({ service: name, level: loaded.config.logLevel });
  const lifecycle = createLifecycle(log, graceMs);
  const crash = (err: unknown): void => {
    log.fatal({ err }, 'crashed');
    process.exit(1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);

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
      intervalMs: supervisorPollMs,
      onGone: () => stop('supervisor is gone'),
    });
  }

  try {
    const metrics = createMetrics(name);
    await start({ config: loaded.config, log, lifecycle, metrics, crash, restart });
  } catch (error) {
    // A start that is stopped half way fails on what was closed under it: nothing to report.
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
