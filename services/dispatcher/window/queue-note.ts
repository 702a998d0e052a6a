import type { FoldState } from '../../../shared/events/fold.ts';
import type { QueuePosition } from './enqueue-portion.ts';

/** The last run that came to its end. */
export interface LastRun {
  /** By the clock of the process that ran, in milliseconds since 1970. */
  readonly begunAt: number;
  /** How many requests for a run had been made by then. */
  readonly requested: number;
}

export const noRun: LastRun = { begunAt: 0, requested: 0 };

/** What is kept beside a position of the queue: the state of the fold, and the last run, the same in all partitions. */
export function encodeQueueNote(
  { token, sequence, sealed }: QueuePosition,
  lastRun: LastRun,
): string {
  return [token ?? '', sequence, lastRun.requested, lastRun.begunAt, Number(sealed)].join(':');
}

/** Of any version ever written. */
export function decodeQueueNote(note: string): FoldState & LastRun {
  const [token = '', sequence = '0', requested = '0', begunAt = '0', sealed = '0'] =
    note.split(':');
  return {
    token: token === '' ? null : token,
    sequence: Number(sequence),
    sealed: sealed === '1',
    requested: Number(requested),
    begunAt: Number(begunAt),
  };
}

/** What is known of the last run where the notes are not all of one commit. */
export function latestRun(runs: readonly LastRun[]): LastRun {
  return {
    begunAt: Math.max(0, ...runs.map(({ begunAt }) => begunAt)),
    requested: Math.max(0, ...runs.map(({ requested }) => requested)),
  };
}
