import { createHash } from 'node:crypto';
import { Unavailable } from '../domain/errors.ts';

/** The bytes of a file in pieces of any size. */
export type Pieces = AsyncIterable<Buffer> | Iterable<Buffer>;

/**
 * Size of one append, which costs a disk flush. It is below the topic's message size limit, and a multiple of the chunk
 * size.
 */
export const PORTION_BYTES = 2 * 1024 * 1024;

/** Yields the same bytes in portions of `PORTION_BYTES`. The last one may be smaller. */
export async function* toPortions(pieces: Pieces): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    waiting.push(piece);
    bytes += piece.length;
    if (bytes < PORTION_BYTES) continue;
    const joined = Buffer.concat(waiting);
    let start = 0;
    for (; start + PORTION_BYTES <= bytes; start += PORTION_BYTES) {
      yield joined.subarray(start, start + PORTION_BYTES);
    }
    waiting = [joined.subarray(start)];
    bytes -= start;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

export interface Digest {
  readonly size: number;
  readonly sha256: string;
  /** The SHA-256 of each portion. */
  readonly portions: readonly string[];
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** Returns whether the bytes have this SHA-256. */
export async function haveHash(pieces: Pieces, sha256: string): Promise<boolean> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex') === sha256;
}

export async function digestPieces(pieces: Pieces): Promise<Digest> {
  const whole = createHash('sha256');
  const portions: string[] = [];
  let size = 0;
  for await (const portion of toPortions(pieces)) {
    whole.update(portion);
    portions.push(sha256Of(portion));
    size += portion.length;
  }
  return { size, sha256: whole.digest('hex'), portions };
}

/**
 * Yields the bytes of a file whose digest was computed earlier. Throws before the first portion that differs: chunks in
 * the log are named after the digest of the whole file, so they must never contain other bytes.
 */
export async function* provenPieces(pieces: Pieces, { portions }: Digest): AsyncGenerator<Buffer> {
  let index = 0;
  for await (const portion of toPortions(pieces)) {
    if (sha256Of(portion) !== portions[index]) throw changed();
    index += 1;
    yield portion;
  }
  if (index < portions.length) throw changed();
}

/**
 * Yields the same bytes, and throws before the last piece if they differ from the hash or the size, so that a reader
 * never gets a complete file with other bytes.
 */
export async function* checkedPieces(
  { sha256, size, pieces }: Pick<Digest, 'sha256' | 'size'> & { readonly pieces: Pieces },
  mismatch: () => Error,
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let read = 0;
  let held: Buffer | undefined;
  for await (const piece of pieces) {
    if (held !== undefined) yield held;
    hash.update(piece);
    read += piece.length;
    held = piece;
  }
  if (read !== size || hash.digest('hex') !== sha256) throw mismatch();
  if (held !== undefined) yield held;
}

function changed(): Unavailable {
  return new Unavailable(
    'The exported records changed while the file was being written. Try again.',
  );
}
