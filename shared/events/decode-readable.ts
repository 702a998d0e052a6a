import { UnreadableMessage } from '../domain/errors.ts';
import { decodeProven, type ProvenMessage } from './later-version.ts';

/**
 * For readers that skip entries which no known schema explains. Another reader, mostly the projector, quarantines them with
 * the reason. Throws LaterVersion.
 */
export function decodeReadable<Entry>(
  message: ProvenMessage,
  decode: (bytes: Buffer | null) => Entry,
): Entry | undefined {
  const entry = tryDecode(message, decode);
  return entry instanceof UnreadableMessage ? undefined : entry;
}

/** The entry, or why no known schema explains it. Throws LaterVersion. */
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
