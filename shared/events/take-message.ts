import { UnreadableMessage } from '../domain/errors.ts';
import { type EntryProof, type FoldState, fold, isForeign } from './fold.ts';
import { decodeProven } from './later-version.ts';
import type { LogEntry } from './log-entry.ts';
import { decodeLogEntry } from './log-entry-codec.ts';

/** Why a message of a log does not count. Entries of former owners are `superseded`, which is expected. */
type LeftOut = 'superseded' | { readonly rejected: string; readonly isForeign: boolean };

export type Taken =
  | { readonly entry: LogEntry; readonly state: FoldState }
  | { readonly entry?: undefined; readonly state: FoldState; readonly leftOut: LeftOut };

interface LogMessage {
  readonly value: Buffer | null;
  readonly proof: EntryProof;
}

/**
 * How a reader at `state` takes a message: the entry and the next state, or why it is skipped. Throws LaterVersion for an
 * entry that a process of a later version wrote: who skipped it would miss a change, and all that follow of that writer.
 */
export function takeMessage(state: FoldState, { value, proof }: LogMessage): Taken {
  if (isForeign(state, proof))
    return { state, leftOut: { rejected: foreignReasons[proof], isForeign: true } };
  const entry = tryDecode({ value, proof });
  if (typeof entry === 'string') return { state, leftOut: { rejected: entry, isForeign: false } };
  const next = fold(state, entry, proof);
  return next === undefined ? { state, leftOut: 'superseded' } : { entry, state: next };
}

/** Reasons for operators, also shown by `annals rejected`. */
const foreignReasons: Readonly<Record<EntryProof, string>> = {
  none: 'carries no authentication code: no process of this installation wrote it',
  wrong: 'carries a wrong authentication code: no process of this installation wrote it',
  // Valid entries are never foreign.
  valid: '',
  seals: '',
};

/** The entry, or the reason why it cannot be read. */
function tryDecode(message: LogMessage): LogEntry | string {
  try {
    return decodeProven(message, decodeLogEntry);
  } catch (error) {
    if (error instanceof UnreadableMessage) return error.message;
    throw error;
  }
}
