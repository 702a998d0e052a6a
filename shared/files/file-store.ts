import type { Pieces } from './file-pieces.ts';

/** A file and its name in every store: the SHA-256 of its bytes in lower-case hex. */
export interface FileContent {
  readonly sha256: string;
  readonly size: number;
  readonly pieces: Pieces;
}

/** A range of bytes: `from` is inclusive, `to` exclusive. */
export interface ByteRange {
  readonly from: number;
  readonly to: number;
}

/** Writes a file, and resolves when a crash can no longer lose it. Idempotent. */
export type PutFile = (file: FileContent) => Promise<void>;

/**
 * A place for the bytes of files: the log, a directory or an S3 bucket (docs/adr/0062). All methods throw Unavailable
 * while the place does not respond.
 */
interface FileStore {
  /**
   * Stores a file completely or not at all. Throws before the file becomes visible if the bytes differ from its hash or
   * size.
   */
  readonly put: PutFile;
  /** Returns the number of stored bytes; undefined for an unknown file. */
  sizeOf(sha256: string): Promise<number | undefined>;
  /** Yields a range of a file in pieces. Throws Unavailable if the file is missing. */
  read(sha256: string, range: ByteRange): AsyncGenerator<Buffer>;
  /** Succeeds if the file does not exist. */
  delete(sha256: string): Promise<void>;
  /** Yields all files, in the order of their hashes. */
  list(): AsyncGenerator<ListedFile>;
}

export interface ListedFile {
  readonly sha256: string;
  readonly size: number;
  /** The time of the last `put`, in milliseconds since 1970; undefined for files in the log. */
  readonly storedAt: number | undefined;
}

/** A store outside the log. */
export interface ExternalStore extends FileStore {
  /** The value of FILES_STORE, for messages. */
  readonly name: string;
  /** Small objects that describe the store, by name. */
  readonly notes: StoreNotes;
  /** Deletes remains of interrupted uploads that are older than `before`, in milliseconds since 1970. */
  deleteRemains(before: number): Promise<void>;
  /** Returns an address from which a client can download the file; undefined if the store has no such addresses. */
  signUrl(sha256: string, headers: SignedHeaders): Promise<string | undefined>;
  close(): void;
}

export interface StoreNotes {
  read(name: string): Promise<Buffer | undefined>;
  write(name: string, content: Buffer): Promise<void>;
  delete(name: string): Promise<void>;
  list(): Promise<readonly string[]>;
}

/** The headers of the response at a signed address. */
export interface SignedHeaders {
  readonly type: string;
  readonly disposition: string;
}

export const isSha256 = (text: string): boolean => /^[0-9a-f]{64}$/.test(text);
