import { UnreadableMessage } from '../domain/errors.ts';
import { toObject } from '../domain/value/attribute-values.ts';
import type { FoldState } from './fold.ts';
import { parseJsonObject } from './wire-values.ts';

/** The progress of a replay in one partition of the records log. */
export interface ReplayPosition extends FoldState {
  readonly partition: number;
  readonly offset: bigint;
}

/** The progress of a replay, written in the same transaction as the batches that it enqueues. */
export interface ReplayProgress {
  readonly positions: readonly ReplayPosition[];
  /** The number of matched events that the webhook's user may read. */
  readonly events: number;
  /** The number of matched events that the webhook's user may not read. */
  readonly hidden: number;
  readonly batches: number;
  readonly isDone: boolean;
  /** The first payloads, for a dry run. */
  readonly samples: readonly unknown[];
}

/** Encodes as JSON, because only Annals reads it and size does not matter. */
export function encodeReplayProgress({ positions, ...progress }: ReplayProgress): Buffer {
  const inText = positions.map((position) => ({ ...position, offset: String(position.offset) }));
  return Buffer.from(JSON.stringify({ ...progress, positions: inText }));
}

/** Throws UnreadableMessage for bytes that do not encode a replay's progress. */
export function decodeReplayProgress(bytes: Buffer | null): ReplayProgress {
  const what = 'the progress of a replay';
  const read: Unproven<ReplayProgress> = parseJsonObject(String(bytes ?? ''), what);
  // Earlier versions did not count hidden events separately.
  const { positions, events, hidden = 0, batches, isDone, samples } = read;
  const isWhole = typeof isDone === 'boolean' && Array.isArray(samples);
  const isCounted = isCount(events) && isCount(hidden) && isCount(batches);
  if (!isWhole || !isCounted || !Array.isArray(positions)) {
    throw new UnreadableMessage(`${what} lacks a required value`);
  }
  return { positions: positions.map(toPosition), events, hidden, batches, isDone, samples };
}

type Unproven<Type> = { readonly [Name in keyof Type]?: unknown };

function toPosition(given: unknown): ReplayPosition {
  const { partition, offset, token, sequence, sealed }: Unproven<ReplayPosition> = toObject(given);
  const isToken = token === null || typeof token === 'string';
  const isOffset = typeof offset === 'string' && /^\d{1,19}$/.test(offset);
  if (!isCount(partition) || !isCount(sequence) || !isToken || !isOffset) {
    throw new UnreadableMessage('invalid replay position');
  }
  // Missing in versions before ADR 25.
  return { partition, offset: BigInt(offset), token, sequence, sealed: sealed === true };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
