import { UnreadableMessage } from '../domain/errors.ts';
import { tryDecode } from './decode-readable.ts';
import { type EntryProof, type FoldState, fold, isForeign } from './fold.ts';
import type { ProvenMessage } from './later-version.ts';
import type { LogEntry } from './log-entry.ts';
import { decodeLogEntry } from './log-entry-codec.ts';

/** Why an entry does not count. Entries of former owners are `superseded`, which is expected. */
type LeftOut = 'superseded' | { readonly rejected: string; readonly isForeign: boolean };

export type Taken =
  | { readonly entry: LogEntry; readonly state: FoldState }
  | { readonly entry?: undefined; readonly state: FoldState; readonly leftOut: LeftOut };

/**
 * Returns the entry and the next state, or the reason for skipping it. Throws LaterVersion for an entry from a later
 * version: skipping it would lose a change and all following entries of that writer.
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

/**
 * Returns the reason that operators see, for example in `annals rejected`. Entries with a valid code are never foreign.
 */
function foreignReason(proof: EntryProof): string {
  const code = proof === 'none' ? 'no' : 'a wrong';
  return `has ${code} authentication code, so no process of this installation wrote it`;
}
