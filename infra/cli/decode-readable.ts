import { UnreadableMessage } from '../../shared/domain/errors.ts';

/** Undefined for what no known schema explains: services have set it aside with its reason. */
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
