import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { OperatorError } from '../operator-error.ts';
import { type FileLock, findHolders, tryLockFile } from './file-lock.ts';
import { sendSignal } from './process-identity.ts';
import { type ChildSpec, type RunningChild, spawnChild } from './spawn-child.ts';

/**
 * All processes of this run: what is started through it is stopped with the run.
 *
 * Each inherits the lock of a file, by which the next run finds what a killed one left behind. The system keeps that
 * note from the first moment of a process to its last; none can be missing because the disk was full, or because
 * somebody died between a start and a note about it.
 */
export interface ChildRegistry {
  /** Waits until nothing of an earlier process with the same lock runs. */
  spawn(spec: ChildSpec): Promise<RunningChild>;
  isStopping(): boolean;
  /**
   * Stops everything: kinds one after the other in this order, before them whatever else runs. `api` stands for `api2`
   * too, and those are stopped together.
   */
  stopAll(order: readonly string[]): Promise<void>;
  /** Ends everything at once; synchronous, so that it can run while the process exits. */
  killAll(): void;
}

/** A start was under way when the stop came. Not a failure, and shown to nobody. */
export class StoppingError extends Error {
  override readonly name = 'StoppingError';
}

/** Children of a killed process, such as the backends of Postgres, end by themselves within this time. */
const PATIENCE_MS = 5_000;
const POLL_INTERVAL_MS = 50;

/** `lockDirectory` is the run's own; nothing else may be in it. */
export function createChildRegistry(lockDirectory: string): ChildRegistry {
  mkdirSync(lockDirectory, { recursive: true, mode: 0o700 });
  const running = new Set<RunningChild>();
  let stopping = false;

  return {
    async spawn(spec) {
      const lock = await lockSurely(join(lockDirectory, spec.lockName ?? spec.name));
      try {
        if (stopping) {
          throw new StoppingError(`${spec.name} is not started: everything is stopping`);
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
  const deadline = Date.now() + 2 * PATIENCE_MS;
  for (;;) {
    const lock = tryLockFile(path);
    if (lock !== undefined) return lock;
    const holders = findHolders(path);
    if (Date.now() > deadline) {
      throw new OperatorError(`What ran before has not ended yet (process ${holders.join(', ')}).`);
    }
    if (Date.now() > deadline - PATIENCE_MS) for (const pid of holders) sendSignal(pid, 'SIGKILL');
    await sleep(POLL_INTERVAL_MS);
  }
}
