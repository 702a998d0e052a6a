import type { FastifyRequest } from 'fastify';

/** A file that was made for a request. */
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

/** Keeps a file as an attachment of the user who sent the request. */
export type SaveExport = (request: FastifyRequest, file: MadeFile) => Promise<SavedFile>;
