import { timingSafeEqual } from 'node:crypto';
import type { EntryProof } from '../events/fold.ts';
import { deriveKey } from './derive-key.ts';
import { createHmacSha256 } from './hmac-sha256.ts';

/** The partition of an entry. */
interface Place {
  readonly topic: string;
  readonly partition: number;
}

interface CodedMessage {
  readonly offset: bigint;
  readonly value: Buffer | null;
  readonly headers?: Readonly<Record<string, Buffer | undefined>>;
}

/**
 * Authentication codes for entries, which prove that a process with the installation's secret key wrote them: the first
 * 16 bytes of HMAC-SHA256 over the topic, the partition and the value. A code is sent in a header of its message, after
 * a byte that indicates whether the entry seals its log. The order of entries needs no code, because the fold enforces
 * it (docs/adr/0025).
 */
export interface EntryCodes {
  headersOf(
    place: Place,
    entry: { readonly value: Buffer; readonly seals?: boolean | undefined },
  ): CodeHeaders;
  verify(place: Place, message: CodedMessage): EntryProof;
}

type CodeHeaders = Readonly<Record<string, Buffer>>;

const header = 'annals-code';
const CODE_BYTES = 16;
const PLAIN = 1;
const SEALS = 2;

/** `trustedBefore` returns the offset of a partition below which codes are not verified, because their key is lost. */
export function createEntryCodes(
  masterKeyHex: string,
  trustedBefore: (place: Place) => bigint = () => 0n,
): EntryCodes {
  const hmac = createHmacSha256(deriveKey(masterKeyHex, 'annals log entries v1'));
  const expected = Buffer.alloc(CODE_BYTES);

  function writeCode(target: Buffer, at: number, { kind, place, value }: Coded): void {
    const digest = hmac(`${kind} ${place.topic}/${place.partition}\n`, value);
    target.write(digest, at, CODE_BYTES, 'latin1');
  }

  return {
    headersOf(place, { value, seals = false }) {
      const kind = seals ? SEALS : PLAIN;
      const claim = Buffer.allocUnsafe(1 + CODE_BYTES);
      claim[0] = kind;
      writeCode(claim, 1, { kind, place, value });
      return { [header]: claim };
    },
    verify(place, { offset, value, headers }) {
      return verifyClaim(headers, (kind, code) => {
        if (value === null) return false;
        if (offset < trustedBefore(place)) return true;
        writeCode(expected, 0, { kind, place, value });
        return timingSafeEqual(code, expected);
      });
    },
  };
}

type Kind = typeof PLAIN | typeof SEALS;

interface Coded {
  readonly kind: Kind;
  readonly place: Place;
  readonly value: Buffer;
}

const proofs = { [PLAIN]: 'valid', [SEALS]: 'seals' } as const;

/** Only bytes in the format of a code are passed to `isRight`. */
function verifyClaim(
  headers: CodedMessage['headers'],
  isRight: (kind: Kind, code: Buffer) => boolean,
): EntryProof {
  const claim = headers?.[header];
  if (claim === undefined) return 'none';
  // A foreign message may contain an empty header, or several headers with this name.
  if (!Buffer.isBuffer(claim) || claim.length !== 1 + CODE_BYTES) return 'wrong';
  const kind = claim[0];
  if (kind !== PLAIN && kind !== SEALS) return 'wrong';
  return isRight(kind, claim.subarray(1)) ? proofs[kind] : 'wrong';
}

/** The codes for programs without the key: codes are not verified, and writing fails. */
export const unverifiedCodes: EntryCodes = {
  headersOf() {
    throw new Error('cannot create authentication codes without the secret key');
  },
  verify: (_place, { headers }) => verifyClaim(headers, () => true),
};
