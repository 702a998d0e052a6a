import { UnreadableMessage } from '../domain/errors.ts';
import { decodeProven } from './later-version.ts';

/**
 * For readers that skip entries which no known schema explains. Another reader, mostly the projector, quarantines them with
 * the reason. Throws LaterVersion.
 */
export function decodeReadable<Entry>(
  message: Parameters<typeof decodeProven>[0],
  decode: (bytes: Buffer | null) => Entry,
): Entry | undefined {
  try {
    return decodeProven(message, decode);
  } catch (error) {
    if (error instanceof UnreadableMessage) return undefined;
    throw error;
  }
}
