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

/**
 * The recorded messages beyond a partition's position, stored as metadata of the committed offset, as in Confluent's
 * Parallel Consumer. The format is run lengths in base 36, joined by dots: open, done, open … The first run starts at the
 * position, which is always open.
 */
export interface RecordedProgress {
  /** In ascending order; the first one is the position. */
  readonly open: readonly bigint[];
  /** Offsets before this one are recorded unless they are open. Later offsets are unknown. */
  readonly end: bigint;
}

/** Brokers accept 4096 bytes (`offset.metadata.max.bytes`). */
const MAX_METADATA_LENGTH = 4_000;

/**
 * Returns the metadata, and the offset that it covers: less than `end` if it would be too long. Offsets without a message
 * (transaction markers) count as done.
 */
export function encodeProgress(
  { open, end }: RecordedProgress,
  maxLength = MAX_METADATA_LENGTH,
): { readonly metadata: string; readonly end: bigint } {
  let metadata = '';
  let reached = open[0] ?? end;
  let index = 0;
  while (reached < end) {
    const openFrom = reached;
    while (open[index] === reached) {
      reached += 1n;
      index += 1;
    }
    const next = open[index] ?? end;
    const doneTo = next < end ? next : end;
    const openRun = (reached - openFrom).toString(36);
    const longer = `${metadata}${metadata === '' ? '' : '.'}${openRun}.${(doneTo - reached).toString(36)}`;
    if (longer.length > maxLength) return { metadata, end: openFrom };
    metadata = longer;
    reached = doneTo;
  }
  return { metadata, end: reached };
}

/** Throws for malformed metadata: continuing without it would record completions twice. */
export function decodeProgress(position: bigint, metadata: string): RecordedProgress {
  const open: bigint[] = [];
  let end = position;
  if (metadata === '') return { open, end };
  if (!/^([0-9a-z]+\.[0-9a-z]+)(\.[0-9a-z]+\.[0-9a-z]+)*$/.test(metadata)) {
    throw new Error(`invalid delivery progress at offset ${position}: ${metadata}`);
  }
  for (const [index, run] of metadata.split('.').entries()) {
    const length = BigInt(Number.parseInt(run, 36));
    if (index % 2 === 0) for (let offset = 0n; offset < length; offset++) open.push(end + offset);
    end += length;
  }
  return { open, end };
}
