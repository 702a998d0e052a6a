import { UnreadableMessage } from '../domain/errors.ts';
import { decodeProven, type ProvenMessage } from './later-version.ts';

/**
 * Decodes an entry for readers that skip unreadable entries; returns undefined for such entries. Another reader,
 * usually the projector, quarantines them with the reason. Throws LaterVersion.
 */
export function decodeReadable<Entry>(
  message: ProvenMessage,
  decode: (bytes: Buffer | null) => Entry,
): Entry | undefined {
  const entry = tryDecode(message, decode);
  return entry instanceof UnreadableMessage ? undefined : entry;
}

/** Returns the entry, or the error if no known schema explains it. Throws LaterVersion. */
export function tryDecode<Entry>(
  message: ProvenMessage,
  decode: (bytes: Buffer | null) => Entry,
): Entry | UnreadableMessage {
  try {
    return decodeProven(message, decode);
  } catch (error) {
    if (error instanceof UnreadableMessage) return error;
    throw error;
  }
}
