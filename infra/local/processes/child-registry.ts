import {
  type RecordedProcess,
  toRecordedProcess,
  writeRunRecord,
} from '../data-directory/run-record.ts';
import { type ChildSpec, type RunningChild, spawnChild } from './spawn-child.ts';

/** All processes of this run: what is started through it is recorded on disk and stopped with the run. */
export interface ChildRegistry {
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

export function createChildRegistry(recordPath: string): ChildRegistry {
  const running = new Map<RunningChild, RecordedProcess>();
  let stopping = false;
  const record = (): void => writeRunRecord(recordPath, [...running.values()]);

  const forget = (child: RunningChild): void => {
    running.delete(child);
    try {
      record();
    } catch {
      // A full disk must not end the supervisor: the note is stale then, and the next run checks
      // each process before it touches it.
    }
  };

  return {
    async spawn(spec) {
      if (stopping) throw new StoppingError(`${spec.name} is not started: everything is stopping`);
      const child = await spawnChild(spec);
      running.set(child, toRecordedProcess({ ...spec, pid: child.pid }));
      record();
      void child.exited.then(() => forget(child));
      if (stopping) await child.stop();
      return child;
    },
    isStopping: () => stopping,
    async stopAll(order) {
      stopping = true;
      const rank = ({ name }: RunningChild) => order.indexOf(name.replace(/\d+$/, ''));
      for (let turn = -1; turn < order.length; turn++) {
        const children = [...running.keys()].filter((child) => rank(child) === turn);
        await Promise.all(children.map((child) => child.stop()));
      }
    },
    killAll() {
      stopping = true;
      for (const child of running.keys()) child.kill();
    },
  };
}
