import { Unavailable, UnknownToThisVersion } from '../domain/errors.ts';
import type { EntryProof } from './fold.ts';

/**
 * Thrown for an authentic entry in an unknown schema, written by a later version. Skipping the entry would lose a
 * change, so the reader stops before it until the reader is upgraded (docs/adr/0039).
 */
export class LaterVersion extends Unavailable {
  constructor(cause: UnknownToThisVersion) {
    super(`a later version of Annals has written to this log (${cause.message})`, {
      remedy: 'upgrade this process; it then continues from this entry',
      cause,
    });
  }
}

export interface ProvenMessage {
  readonly value: Buffer | null;
  readonly proof: EntryProof;
}

/**
 * Decodes a message. An unknown schema or name indicates a later version only if the code is valid. Otherwise the
 * message may be foreign, and is treated like any unreadable message.
 */
export function decodeProven<Entry>(
  { value, proof }: ProvenMessage,
  decode: (bytes: Buffer | null) => Entry,
): Entry {
  return proof === 'valid' || proof === 'seals' ? asKnown(() => decode(value)) : decode(value);
}

/** Decodes bytes that certainly come from this installation, such as bytes in its tables. */
export function asKnown<Entry>(decode: () => Entry): Entry {
  try {
    return decode();
  } catch (error) {
    if (error instanceof UnknownToThisVersion) throw new LaterVersion(error);
    throw error;
  }
}
