import type { FastifyRequest } from 'fastify';

/** A file that a request produced. */
interface MadeFile {
  readonly name: string;
  readonly type: string;
  readonly content: Buffer;
}

export interface SavedFile {
  readonly id: string;
  readonly consistencyToken: string;
  readonly isReplay: boolean;
}

/** Stores a file as an attachment of the requesting user. */
export type SaveExport = (request: FastifyRequest, file: MadeFile) => Promise<SavedFile>;
