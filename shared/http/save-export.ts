import type { FastifyRequest } from 'fastify';

/** A file that a request produced. */
interface MadeFile {
  readonly name: string;
  readonly type: string;
  /** Produces its bytes piece by piece: the same ones each time that it is called. */
  readonly produce: () => AsyncIterable<Buffer>;
}

export interface SavedFile {
  readonly id: string;
  readonly consistencyToken: string;
  readonly isReplay: boolean;
}

/** Stores a file as an attachment of the requesting user. If its bytes cannot be produced, nothing is stored. */
export type SaveExport = (request: FastifyRequest, file: MadeFile) => Promise<SavedFile>;
