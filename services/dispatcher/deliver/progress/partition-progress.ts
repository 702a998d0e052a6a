import { decodeProgress, encodeProgress } from '../../../../shared/events/delivery-progress.ts';
import type { PositionWithMetadata } from '../../../../shared/kafka/transactor.ts';

/** Offsets from `from` to before `to`; without `to`, all later ones. */
export interface OffsetRange {
  readonly from: bigint;
  readonly to?: bigint;
}

/** A position to commit, and the offsets of the completions that it records. */
interface ProgressStep {
  readonly position: Required<PositionWithMetadata>;
  readonly recorded: ReadonlySet<bigint>;
}

/**
 * Tracks the unfinished messages of one partition. Completions arrive in any order. Nearly always each can be recorded
 * immediately, because the committed position has metadata of the recorded messages beyond it.
 */
export interface PartitionProgress {
  readonly topic: string;
  readonly partition: number;
  /** The offset to read from. */
  readonly start: bigint;
  /** Whether the completion of this message was recorded before this process began. */
  isRecorded(offset: bigint): boolean;
  /** Returns false for a message that was recorded before this process began. Call it in ascending order. */
  begin(offset: bigint): boolean;
  /** Called when all messages before `offset` have begun. */
  passTo(offset: bigint): void;
  /**
   * Returns the step that records these completions, or as many of them as fit into the metadata. The others wait for a later
   * step. A completion at the position itself always fits, so no completion waits forever.
   */
  stepWith(ended: ReadonlySet<bigint>): ProgressStep;
  /** Called after the step was committed. */
  record(step: ProgressStep): void;
}

export function createPartitionProgress(stored: Required<PositionWithMetadata>): PartitionProgress {
  const { topic, partition } = stored;
  const restored = decodeProgress(stored.offset, stored.metadata);
  // Iterates in ascending order, because offsets are added in ascending order, restored ones first.
  const open = new Set(restored.open);
  let begunTo = restored.end;
  let recordedTo = restored.end;

  function tryStep(ended: ReadonlySet<bigint>): ProgressStep & { readonly end: bigint } {
    const left = [...open].filter((offset) => !ended.has(offset));
    const wanted = [...ended].reduce((end, offset) => later(end, offset + 1n), recordedTo);
    const { metadata, end } = encodeProgress({ open: left, end: wanted });
    const position = { topic, partition, offset: left[0] ?? begunTo, metadata };
    return { position, end, recorded: new Set([...ended].filter((offset) => offset < end)) };
  }

  return {
    topic,
    partition,
    start: stored.offset,
    isRecorded: (offset) => offset < restored.end && !open.has(offset),
    begin(offset) {
      if (offset < restored.end) return open.has(offset);
      open.add(offset);
      begunTo = later(begunTo, offset + 1n);
      return true;
    },
    passTo(offset) {
      begunTo = later(begunTo, offset);
    },
    stepWith(ended) {
      const step = tryStep(ended);
      // A completion between open messages splits a run, and the metadata may become too long. Completions at the position
      // only shorten it.
      return step.end >= recordedTo ? step : tryStep(leading(open, ended));
    },
    record({ recorded }) {
      for (const offset of recorded) {
        open.delete(offset);
        recordedTo = later(recordedTo, offset + 1n);
      }
    },
  };
}

function leading(open: Iterable<bigint>, ended: ReadonlySet<bigint>): ReadonlySet<bigint> {
  const found = new Set<bigint>();
  for (const offset of open) {
    if (!ended.has(offset)) break;
    found.add(offset);
  }
  return found;
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}
