import type { FoldState } from '../../../shared/events/fold.ts';
import type { QueuePosition } from './enqueue-portion.ts';

/** The last completed run. */
export interface LastRun {
  /** In milliseconds since 1970, by the clock of the process that ran it. */
  readonly begunAt: number;
  /** The number of runs that had been requested by then. */
  readonly requested: number;
}

export const noRun: LastRun = { begunAt: 0, requested: 0 };

/** Encodes the metadata of a queue position: the fold state and the last run, which is the same in all partitions. */
export function encodeMetadata(
  { token, sequence, sealed }: QueuePosition,
  lastRun: LastRun,
): string {
  return [token ?? '', sequence, lastRun.requested, lastRun.begunAt, Number(sealed)].join(':');
}

/** Decodes metadata that any version of Annals wrote. */
export function decodeMetadata(metadata: string): FoldState & LastRun {
  const [token = '', sequence = '0', requested = '0', begunAt = '0', sealed = '0'] =
    metadata.split(':');
  return {
    token: token === '' ? null : token,
    sequence: Number(sequence),
    sealed: sealed === '1',
    requested: Number(requested),
    begunAt: Number(begunAt),
  };
}

/** Returns the last run, even if the partitions' metadata are from different commits. */
export function latestRun(runs: readonly LastRun[]): LastRun {
  return {
    begunAt: Math.max(0, ...runs.map(({ begunAt }) => begunAt)),
    requested: Math.max(0, ...runs.map(({ requested }) => requested)),
  };
}
