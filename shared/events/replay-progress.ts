import { UnreadableMessage } from '../domain/errors.ts';
import type { FoldState } from './fold.ts';
import { parseJsonObject } from './wire-values.ts';

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

/** Throws UnreadableMessage for bytes that are no progress. */
export function decodeReplayProgress(bytes: Buffer | null): ReplayProgress {
  const what = 'the progress of a replay';
  const read: Unproven<ReplayProgress> = parseJsonObject(String(bytes ?? ''), what);
  const { positions, events, batches, isDone, samples } = read;
  const isWhole = typeof isDone === 'boolean' && Array.isArray(samples);
  if (!isWhole || !isCount(events) || !isCount(batches) || !Array.isArray(positions)) {
    throw new UnreadableMessage(`${what} lacks a value`);
  }
  return { positions: positions.map(toPosition), events, batches, isDone, samples };
}

type Unproven<Type> = { readonly [Name in keyof Type]?: unknown };

function toPosition(given: unknown): ReplayPosition {
  const { partition, offset, token, sequence, sealed }: Unproven<ReplayPosition> = Object(given);
  const isToken = token === null || typeof token === 'string';
  const isOffset = typeof offset === 'string' && /^\d{1,19}$/.test(offset);
  if (!isCount(partition) || !isCount(sequence) || !isToken || !isOffset) {
    throw new UnreadableMessage('a position of a replay is none');
  }
  // Absent in progress of versions before ADR 25.
  return { partition, offset: BigInt(offset), token, sequence, sealed: sealed === true };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}
