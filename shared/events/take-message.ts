import { UnreadableMessage } from '../domain/errors.ts';
import { tryDecode } from './decode-readable.ts';
import { type EntryProof, type FoldState, fold, isForeign } from './fold.ts';
import type { ProvenMessage } from './later-version.ts';
import type { LogEntry } from './log-entry.ts';
import { decodeLogEntry } from './log-entry-codec.ts';

/** Why a message of a log does not count. Entries of former owners are `superseded`, which is expected. */
type LeftOut = 'superseded' | { readonly rejected: string; readonly isForeign: boolean };

export type Taken =
  | { readonly entry: LogEntry; readonly state: FoldState }
  | { readonly entry?: undefined; readonly state: FoldState; readonly leftOut: LeftOut };

/**
 * How a reader at `state` takes a message: the entry and the next state, or why it is skipped. Throws LaterVersion for an
 * entry that a process of a later version wrote: who skipped it would miss a change, and all that follow of that writer.
 */
export function takeMessage(state: FoldState, message: ProvenMessage): Taken {
  const { proof } = message;
  if (isForeign(state, proof))
    return { state, leftOut: { rejected: foreignReason(proof), isForeign: true } };
  const entry = tryDecode(message, decodeLogEntry);
  if (entry instanceof UnreadableMessage)
    return { state, leftOut: { rejected: entry.message, isForeign: false } };
  const next = fold(state, entry, proof);
  return next === undefined ? { state, leftOut: 'superseded' } : { entry, state: next };
}

/** For operators, also shown by `annals rejected`. Entries with a valid code are never foreign. */
function foreignReason(proof: EntryProof): string {
  const code = proof === 'none' ? 'no' : 'a wrong';
  return `carries ${code} authentication code: no process of this installation wrote it`;
}
