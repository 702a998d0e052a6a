import { Unavailable, UnknownToThisVersion } from '../domain/errors.ts';
import type { EntryProof } from './fold.ts';

/**
 * What a process of this installation wrote and this one does not know: a later version wrote it. Who passed it by would
 * miss it for ever, so the reader stops before it until it is a later version itself (docs/adr/0039).
 */
export class LaterVersion extends Unavailable {
  constructor(cause: UnknownToThisVersion) {
    super(`a later version of Annals has written to this log (${cause.message})`, {
      remedy: 'upgrade this process: it reads on from there',
      cause,
    });
  }
}

export interface ProvenMessage {
  readonly value: Buffer | null;
  readonly proof: EntryProof;
}

/**
 * Decodes a message. Without a valid code an unknown schema or name proves nothing: somebody else wrote it, and it is as
 * unreadable as any other.
 */
export function decodeProven<Entry>(
  { value, proof }: ProvenMessage,
  decode: (bytes: Buffer | null) => Entry,
): Entry {
  return proof === 'valid' || proof === 'seals' ? asKnown(() => decode(value)) : decode(value);
}

/** For bytes that are certainly of this installation, as those in its tables are. */
export function asKnown<Entry>(decode: () => Entry): Entry {
  try {
    return decode();
  } catch (error) {
    if (error instanceof UnknownToThisVersion) throw new LaterVersion(error);
    throw error;
  }
}
