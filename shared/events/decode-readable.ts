import { UnreadableMessage } from '../domain/errors.ts';

/**
 * For readers that leave out what no known schema explains: somebody else, mostly the projector, has set it aside with
 * its reason.
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
