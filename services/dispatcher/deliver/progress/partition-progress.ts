import { decodeProgress, encodeProgress } from '../../../../shared/events/delivery-progress.ts';
import type { PositionWithMetadata } from '../../../../shared/kafka/transactor.ts';

/** The offsets from `from` (inclusive) to `to` (exclusive), or all offsets from `from` on if `to` is missing. */
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
 * Tracks the unfinished messages of one partition. Completions arrive in any order. Almost all of them can be recorded
 * immediately, because the metadata of the committed position lists the recorded messages beyond it.
 */
export class PartitionProgress {
  readonly topic: string;
  readonly partition: number;
  /** The offset to read from. */
  readonly start: bigint;
  readonly #restoredTo: bigint;
  /** Iterates in ascending order, because offsets are added in ascending order, restored ones first. */
  readonly #open: Set<bigint>;
  #begunTo: bigint;
  #recordedTo: bigint;

  constructor({ topic, partition, offset, metadata }: Required<PositionWithMetadata>) {
    const { open, end } = decodeProgress(offset, metadata);
    this.topic = topic;
    this.partition = partition;
    this.start = offset;
    this.#open = new Set(open);
    this.#restoredTo = end;
    this.#begunTo = end;
    this.#recordedTo = end;
  }

  /** Returns true if the completion of this message was recorded before this process started. */
  isRecorded(offset: bigint): boolean {
    return offset < this.#restoredTo && !this.#open.has(offset);
  }

  /**
   * Starts tracking a message. Returns false if it was recorded before this process started. Must be called in
   * ascending order.
   */
  begin(offset: bigint): boolean {
    if (offset < this.#restoredTo) return this.#open.has(offset);
    this.#open.add(offset);
    this.#begunTo = later(this.#begunTo, offset + 1n);
    return true;
  }

  /** Called once `begin` has been called for all messages before `offset`. */
  passTo(offset: bigint): void {
    this.#begunTo = later(this.#begunTo, offset);
  }

  /**
   * Returns the step that records these completions, or as many of them as fit into the metadata. The others wait for a
   * later step. A completion at the position itself always fits, so no completion waits forever.
   */
  stepWith(ended: ReadonlySet<bigint>): ProgressStep {
    const step = this.#tryStep(ended);
    // A completion between open messages splits a run, which may make the metadata too long. Completions at the
    // position only shorten it.
    return step.end >= this.#recordedTo ? step : this.#tryStep(leading(this.#open, ended));
  }

  /** Called after the step was committed. */
  record({ recorded }: ProgressStep): void {
    for (const offset of recorded) {
      this.#open.delete(offset);
      this.#recordedTo = later(this.#recordedTo, offset + 1n);
    }
  }

  #tryStep(ended: ReadonlySet<bigint>): ProgressStep & { readonly end: bigint } {
    const left = [...this.#open].filter((offset) => !ended.has(offset));
    const wanted = [...ended].reduce((end, offset) => later(end, offset + 1n), this.#recordedTo);
    const { metadata, end } = encodeProgress({ open: left, end: wanted });
    const { topic, partition } = this;
    const position = { topic, partition, offset: left[0] ?? this.#begunTo, metadata };
    return { position, end, recorded: new Set([...ended].filter((offset) => offset < end)) };
  }
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
