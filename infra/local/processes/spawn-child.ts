import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { rotateOpenLog } from './log-file.ts';
import { sendSignal } from './process-identity.ts';

const ROTATE_EVERY_MS = 30_000;

export interface ChildSpec {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** Another operating system user to run as. Only root may set it. */
  readonly account?: { readonly uid: number; readonly gid: number } | undefined;
  /** The file for the output, which survives the supervisor. By default, the output is piped. */
  readonly logFile?: string;
  readonly stopSignal: NodeJS.Signals;
  readonly stopTimeoutMs: number;
  /** Programs with the same lock never run simultaneously. Defaults to the program's name. */
  readonly lockName?: string;
}

export interface ChildExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface RunningChild {
  readonly name: string;
  readonly pid: number;
  readonly stdout: Readable | null;
  readonly stderr: Readable | null;
  readonly exited: Promise<ChildExit>;
  hasExited(): boolean;
  /** Sends the stop signal, and kills the whole group after the timeout. Can be called repeatedly. */
  stop(): Promise<void>;
  /** Kills the whole group immediately. */
  kill(): void;
}

export type SpawnChild = (spec: ChildSpec) => Promise<RunningChild>;

/**
 * Starts a program in a separate process group, so that Ctrl-C at the terminal reaches only the supervisor, which stops
 * everything in order. Rejects if the program cannot be started.
 */
export async function spawnChild(
  spec: ChildSpec & { readonly inheritedFd?: number },
): Promise<RunningChild> {
  const log = spec.logFile === undefined ? 'pipe' : openSync(spec.logFile, 'a', 0o600);
  const child = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    ...spec.account,
    detached: true,
    stdio: ['ignore', log, log, ...(spec.inheritedFd === undefined ? [] : [spec.inheritedFd])],
  });
  if (typeof log === 'number') closeSync(log);
  // Registered before anything is awaited: a program may exit within the same tick.
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  if (spec.logFile !== undefined) keepSmall(spec.logFile, exited);
  const pid = await startedPid(child);
  const hasExited = (): boolean => child.exitCode !== null || child.signalCode !== null;

  return {
    name: spec.name,
    pid,
    stdout: child.stdout,
    stderr: child.stderr,
    exited,
    hasExited,
    async stop() {
      if (hasExited()) return;
      child.kill(spec.stopSignal);
      await Promise.race([exited, sleep(spec.stopTimeoutMs, undefined, { ref: false })]);
      if (hasExited()) return;
      killGroup(pid);
      await exited;
    },
    kill() {
      if (!hasExited()) killGroup(pid);
    },
  };
}

export function describeExit({ code, signal }: ChildExit): string {
  return signal === null ? `exit code ${code}` : signal;
}

/** Rotates the log of a long-running program. */
function keepSmall(logFile: string, exited: Promise<unknown>): void {
  const timer = setInterval(() => {
    try {
      rotateOpenLog(logFile);
    } catch {
      // For example, the disk is full. The rotation is retried, and the program itself reports the problem.
    }
  }, ROTATE_EVERY_MS).unref();
  void exited.then(() => clearInterval(timer));
}

async function startedPid(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    if (child.pid !== undefined) resolve(child.pid);
  });
}

/** Kills the program and everything that it started, as one process group. */
const killGroup = (pid: number): void => sendSignal(-pid, 'SIGKILL');

/** Collects the output of a program if it is piped. */
export function collectOutput({ stdout, stderr }: RunningChild): { text(): string } {
  let text = '';
  for (const stream of [stdout, stderr]) {
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
  }
  return { text: () => text };
}
