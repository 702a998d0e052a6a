import { setTimeout as sleep } from 'node:timers/promises';
import type { Queryable } from '../db/pool.ts';
import { PROJECTED_WITHIN_MS } from '../db/projection-watch.ts';
import { Unavailable } from '../domain/errors.ts';
import { checkedPieces } from './file-pieces.ts';
import type { ByteRange, ExternalStore, SignedHeaders } from './file-store.ts';
import { countStoredBytes, readChunks } from './log-chunks.ts';

/** A file that a record names. */
export interface NamedFile {
  readonly sha256: string;
  readonly size: number;
}

/** Reads files wherever they are: in the log, whose chunks Postgres has, or in the file store. */
export interface FileReads {
  /**
   * Resolves with the place of a file when all of its bytes can be read. Bytes are stored before the record, but those in the log are in a
   * separate topic, so the record may become readable a moment before its bytes.
   */
  untilStored(file: NamedFile): Promise<'log' | 'store'>;
  /**
   * Yields a range of a file in pieces. Continues in the store if the file is moved there in the meantime. Throws
   * before the last piece of a whole file if its bytes in the store are damaged.
   */
  read(file: NamedFile, range?: ByteRange): AsyncGenerator<Buffer>;
  /** Returns an address for a client of a file in the store; undefined if the store has no addresses. */
  signUrl(file: NamedFile, headers: SignedHeaders): Promise<string | undefined>;
}

const POLL_MS = 50;

export function createFileReads(db: Queryable, store: ExternalStore | undefined): FileReads {
  const isInLog = async ({ sha256, size }: NamedFile) =>
    (await countStoredBytes(db, sha256)) >= size;
  const isInStore = async ({ sha256, size }: NamedFile) => (await store?.sizeOf(sha256)) === size;

  async function untilStored(file: NamedFile): Promise<'log' | 'store'> {
    const deadline = Date.now() + PROJECTED_WITHIN_MS;
    for (;;) {
      if (await isInLog(file)) return 'log';
      if (await isInStore(file)) return 'store';
      if (Date.now() > deadline) throw missing(store);
      await sleep(POLL_MS);
    }
  }

  async function* read(file: NamedFile, range?: ByteRange): AsyncGenerator<Buffer> {
    const { sha256, size } = file;
    const { from, to } = range ?? { from: 0, to: size };
    let position = from;
    for await (const piece of readChunks(db, sha256, { from, to })) {
      yield piece;
      position += piece.length;
    }
    if (position >= to) return;
    if (store === undefined) throw new Error(`file ${sha256} has a gap`);
    const pieces = store.read(sha256, { from: position, to });
    const isWhole = position === 0 && to === size;
    yield* isWhole ? checkedPieces({ ...file, pieces }, () => damaged(file)) : pieces;
  }

  return {
    untilStored,
    read,
    signUrl: async ({ sha256 }, headers) => store?.signUrl(sha256, headers),
  };
}

/** The bytes of a file in the store do not have its hash. */
export function damaged({ sha256 }: NamedFile): Error {
  return new Unavailable('The bytes of this file are damaged.', {
    cause: new Error(`the bytes of ${sha256} in the file store do not have this hash`),
    remedy: 'restore the file store from a backup with files, then run annals verify --files',
  });
}

function missing(store: ExternalStore | undefined): Unavailable {
  if (store === undefined) {
    return new Unavailable('The file is in the log, but cannot be read yet.', {
      remedy: 'wait for the projector; if files were moved to a file store, set FILES_STORE',
    });
  }
  return new Unavailable('The file cannot be read yet.', {
    remedy: `neither the log nor ${store.name} has its bytes: check FILES_STORE, and run annals doctor`,
  });
}
