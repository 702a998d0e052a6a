import { UnreadableMessage } from '../domain/errors.ts';

/**
 * For readers that skip entries which no known schema explains. Another reader, mostly the projector, quarantines them with
 * the reason.
 */
export function decodeReadable<Entry>(
  bytes: Buffer | null,
  decode: (bytes: Buffer | null) => Entry,
): Entry | undefined {
  try {
    return decode(bytes);
  } catch (error) {
    if (error instanceof UnreadableMessage) return undefined;
    throw error;
  }
}
