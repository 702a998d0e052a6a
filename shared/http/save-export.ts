import type { FastifyRequest } from 'fastify';

/** A file that a request generated. */
export interface GeneratedFile {
  readonly name: string;
  readonly type: string;
  /** Yields the bytes in pieces; every call yields the same bytes. */
  readonly produce: () => AsyncIterable<Buffer>;
}

export interface SavedFile {
  readonly id: string;
  readonly consistencyToken: string;
  readonly isReplay: boolean;
}

/** Stores a file as an attachment of the requesting user. Stores nothing if generating the bytes fails. */
export type SaveExport = (request: FastifyRequest, file: GeneratedFile) => Promise<SavedFile>;
