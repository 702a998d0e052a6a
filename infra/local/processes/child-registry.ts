import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../operator-error.ts';
import { type FileLock, findHolders, tryLockFile } from './file-lock.ts';
import { sendSignal } from './process-identity.ts';
import { type ChildSpec, type RunningChild, spawnChild } from './spawn-child.ts';

/**
 * The processes of this run. Every process that is started through the registry stops with the run.
 *
 * Each process inherits the lock on a file, so that the next run can find processes that a killed run left behind. The
 * operating system holds the lock as long as the process lives, so neither a full disk nor an early kill can lose it.
 */
export interface ChildRegistry {
  /** Waits until no earlier process with the same lock is running. */
  spawn(spec: ChildSpec): Promise<RunningChild>;
  isStopping(): boolean;
  /**
   * Stops everything: first all processes that are not in `order`, then the others in that order. `api` includes `api2`
   * and so on, which are stopped together.
   */
  stopAll(order: readonly string[]): Promise<void>;
  /** Kills everything immediately. Synchronous, so that it can run while the process exits. */
  killAll(): void;
}

/** Thrown when a process is started while everything is stopping. Not a failure, and not reported. */
export class StoppingError extends Error {
  override readonly name = 'StoppingError';
}

/** The time within which the children of a killed process, such as Postgres backends, exit without being signalled. */
const END_WITHIN_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/** `lockDirectory` belongs to the run and must contain nothing else. */
export function createChildRegistry(lockDirectory: string): ChildRegistry {
  mkdirSync(lockDirectory, { recursive: true, mode: 0o700 });
  const running = new Set<RunningChild>();
  let stopping = false;

  return {
    async spawn(spec) {
      const lock = await lockSurely(join(lockDirectory, spec.lockName ?? spec.name));
      try {
        if (stopping) {
          throw new StoppingError(`${spec.name} was not started because Annals is stopping`);
        }
        const child = await spawnChild({ ...spec, inheritedFd: lock.fd });
        running.add(child);
        void child.exited.then(() => running.delete(child));
        if (stopping) await child.stop();
        return child;
      } finally {
        lock.release();
      }
    },
    isStopping: () => stopping,
    async stopAll(order) {
      stopping = true;
      const rank = ({ name }: RunningChild) => order.indexOf(name.replace(/\d+$/, ''));
      for (let turn = -1; turn < order.length; turn++) {
        const children = [...running].filter((child) => rank(child) === turn);
        await Promise.all(children.map((child) => child.stop()));
      }
    },
    killAll() {
      stopping = true;
      for (const child of running) child.kill();
    },
  };
}

async function lockSurely(path: string): Promise<FileLock> {
  const deadline = Date.now() + 2 * END_WITHIN_MS;
  for (;;) {
    const lock = tryLockFile(path);
    if (lock !== undefined) return lock;
    const holders = findHolders(path);
    if (Date.now() > deadline) {
      throw new OperatorError(
        `A process from an earlier run is still running (process ${holders.join(', ')}).`,
      );
    }
    if (Date.now() > deadline - END_WITHIN_MS)
      for (const pid of holders) sendSignal(pid, 'SIGKILL');
    await sleep(POLL_INTERVAL_MS);
  }
}
