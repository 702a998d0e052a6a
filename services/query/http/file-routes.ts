import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ByteRange, readStoredBytes } from '../../../shared/db/file-store.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import type { Queryable } from '../../../shared/search/run-statement.ts';
import { type FoundFile, untilStored } from '../files/found-file.ts';
import type { ReadRecord } from '../search/record/read-record.ts';
import type { RecordQuery } from '../search/rows/require-readable.ts';
import { fileHeaders, toFileTag } from './file-headers.ts';
import { readRange } from './read-range.ts';

interface FileRouteDeps {
  readonly pool: Queryable;
  readonly readRecord: ReadRecord;
}

type Params = { readonly id: string };

/** Downloads of files, for users who may read their records (docs/reference/files.md#downloading). */
export function registerFileRoutes(
  server: FastifyInstance,
  { pool, readRecord }: FileRouteDeps,
  readReader: (request: FastifyRequest, entity: string) => Promise<Omit<RecordQuery, 'id'>>,
): void {
  server.get<{ Params: Params }>('/api/v1/Attachment/file/:id', async (request, reply) => {
    const reader = await readReader(request, attachmentType);
    const { record } = await readRecord({ ...reader, id: request.params.id });
    const file = toFile(record);
    void reply.headers(fileHeaders(file));
    if (isKnown(request, file)) return reply.code(304).send();
    await untilStored(pool, file);
    return sendFile(reply, { request, file, pool });
  });
}

function toFile(record: Readonly<Record<string, unknown>>): FoundFile {
  return {
    name: String(record['name']),
    type: String(record['type']),
    size: Number(record['size']),
    sha256: String(record['sha256']),
  };
}

function isKnown({ headers }: FastifyRequest, { sha256 }: FoundFile): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags !== undefined && (tags.includes('*') || tags.includes(toFileTag(sha256)));
}

function sendFile(
  reply: FastifyReply,
  {
    request,
    file: { sha256, size },
    pool,
  }: {
    readonly request: FastifyRequest;
    readonly file: FoundFile;
    readonly pool: Queryable;
  },
): FastifyReply {
  const range = rangeOf(request, { sha256, size });
  if (range !== undefined) {
    void reply.code(206).header('content-range', `bytes ${range.from}-${range.to - 1}/${size}`);
  }
  const { from, to } = range ?? { from: 0, to: size };
  void reply.header('content-length', to - from);
  // HEAD is answered here, too, and needs no bytes.
  const bytes = request.method === 'HEAD' ? [] : readStoredBytes(pool, sha256, { from, to });
  return reply.send(Readable.from(bytes, { objectMode: false, highWaterMark: 0 }));
}

/** Undefined means the whole file. If-Range guards against combining parts of different files. */
function rangeOf(
  { headers }: FastifyRequest,
  { sha256, size }: Pick<FoundFile, 'sha256' | 'size'>,
): ByteRange | undefined {
  const known = headers['if-range'];
  if (known !== undefined && known !== toFileTag(sha256)) return undefined;
  return readRange(headers.range, size);
}
