import type { PositionWithMetadata } from '../../../../shared/kafka/transactor.ts';
import { decodeProgress, encodeProgress } from './progress-metadata.ts';

/** Offsets from `from` to before `to`; without `to`, all later ones. */
export interface OffsetRange {
  readonly from: bigint;
  readonly to?: bigint;
}

/** A position to commit, and the completions that it records. */
interface ProgressStep {
  readonly position: Required<PositionWithMetadata>;
  readonly recorded: ReadonlySet<bigint>;
}

/**
 * Tracks which messages of one partition are not completed. Completions come in any order, and nearly always each can be
 * recorded at once, because the committed position has metadata of what is recorded beyond it.
 */
export interface PartitionProgress {
  readonly topic: string;
  readonly partition: number;
  /** The offset to read from. */
  readonly start: bigint;
  /** Whether the completion of this message was recorded before this process began. */
  isRecorded(offset: bigint): boolean;
  /** False for a message that was recorded before this process began. Called in ascending order. */
  begin(offset: bigint): boolean;
  /** Everything before `offset` has begun, or is no message. */
  passTo(offset: bigint): void;
  /**
   * The step that records these completions, or as many of them as fit into the metadata; the rest waits for a later step.
   * The completion at the position itself always fits, so that nothing waits for ever.
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
      // A completion between open messages splits a run, which may exceed the room of the metadata. One at the position only
      // shortens the metadata.
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
