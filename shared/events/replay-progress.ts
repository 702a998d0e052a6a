import type { FoldState } from './fold.ts';

/** How far a replay has come in one partition of the records log. */
export interface ReplayPosition extends FoldState {
  readonly partition: number;
  readonly offset: bigint;
}

/** How far a replay has come, written in the transaction of what it enqueues. */
export interface ReplayProgress {
  readonly positions: readonly ReplayPosition[];
  /** Events that matched. */
  readonly events: number;
  readonly batches: number;
  readonly isDone: boolean;
  /** Of a dry run: the first payloads. */
  readonly samples: readonly unknown[];
}

/** As JSON: nobody but Annals reads it, and it may be long. */
export function encodeReplayProgress({ positions, ...progress }: ReplayProgress): Buffer {
  const inText = positions.map((position) => ({ ...position, offset: String(position.offset) }));
  return Buffer.from(JSON.stringify({ ...progress, positions: inText }));
}

export function decodeReplayProgress(bytes: Buffer): ReplayProgress {
  const { positions, ...progress } = JSON.parse(bytes.toString('utf8'));
  return {
    ...progress,
    positions: positions.map((position: { readonly offset: string }) => ({
      ...position,
      offset: BigInt(position.offset),
    })),
  };
}
