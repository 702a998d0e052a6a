import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import type { FileReads } from '../../../shared/files/file-reads.ts';
import type { ByteRange } from '../../../shared/files/file-store.ts';
import { describeRoute, emptyAnswer } from '../../../shared/http/describe/describe-route.ts';
import { read as errors } from '../../../shared/http/describe/error-lists.ts';
import { headerRefs } from '../../../shared/http/describe/headers.ts';
import type { Part } from '../../../shared/http/describe/part.ts';
import { text } from '../../../shared/http/describe/schemas.ts';
import { textIn } from '../../../shared/http/require-object.ts';
import type { QueryContext } from '../context.ts';
import { type IdRoute, readReader } from '../request/read-reader.ts';
import { type FoundFile, fileHeaders, toFileTag } from './file-headers.ts';
import { readRange } from './read-range.ts';

/** Registers file downloads for users who may read the file's record (docs/reference/files.md#downloading). */
export function registerFileRoutes(server: FastifyInstance, context: QueryContext): void {
  const { files } = context;
  server.get<IdRoute>('/api/v1/Attachment/file/:id', download, async (request, reply) => {
    const reader = await readReader(context, request, attachmentType);
    const { record } = await context.readRecord({ ...reader, id: request.params.id });
    const file = toFile(record);
    const headers = fileHeaders(file);
    void reply.headers(headers);
    if (isKnown(request, file)) return reply.code(304).send();
    const place = await files.untilStored(file);
    if (place === 'store' && textIn(request.query, 'redirect') === '1') {
      const { 'content-type': type, 'content-disposition': disposition } = headers;
      const url = await files.signUrl(file, { type, disposition });
      // The address is a credential for a minute, so no cache may keep it.
      if (url !== undefined) return reply.header('cache-control', 'no-store').redirect(url);
    }
    return sendFile(reply, files, file);
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

function sendFile(reply: FastifyReply, files: FileReads, file: FoundFile): FastifyReply {
  const { request } = reply;
  const { size } = file;
  const range = rangeOf(request, file);
  if (range !== undefined) {
    void reply.code(206).header('content-range', `bytes ${range.from}-${range.to - 1}/${size}`);
  }
  const { from, to } = range ?? { from: 0, to: size };
  void reply.header('content-length', to - from);
  // This handler also serves HEAD, which needs no bytes.
  const bytes = request.method === 'HEAD' ? [] : files.read(file, { from, to });
  return reply.send(Readable.from(bytes, { objectMode: false, highWaterMark: 0 }));
}

/** Returns undefined for the whole file. If-Range prevents clients from combining parts of different files. */
function rangeOf({ headers }: FastifyRequest, { sha256, size }: FoundFile): ByteRange | undefined {
  const known = headers['if-range'];
  if (known !== undefined && known !== toFileTag(sha256)) return undefined;
  return readRange(headers.range, size);
}

const download = describeRoute({
  id: 'Attachment_file',
  tag: 'Attachment',
  summary: 'Download a file',
  description:
    'For the user who uploaded the file, and for users who may read the record and the field that hold it. All files except pictures are sent as attachments.',
  parameters: [
    'id',
    { name: 'Range', in: 'header', schema: { ...text, examples: ['bytes=0-1023'] } },
    { name: 'If-None-Match', in: 'header', schema: text },
    {
      name: 'redirect',
      in: 'query',
      schema: {
        enum: ['1'],
        description:
          'Return a 302 to a signed address of the file store, which is valid for a minute. Ignored for files that are not in S3.',
      },
    },
    'X-Consistency-Token',
  ],
  answer: {},
  errors,
  more: {
    200: bytesOf('The file.', ['Content-Disposition', 'ETag']),
    206: bytesOf('The requested part.', ['Content-Disposition', 'Content-Range', 'ETag']),
    302: emptyAnswer('A signed address, in `Location`.', []),
    304: emptyAnswer('The client already has these bytes.', ['ETag']),
  },
});

function bytesOf(description: string, headers: Parameters<typeof headerRefs>[0]): Part {
  return {
    description,
    headers: headerRefs(headers),
    content: { '*/*': { schema: { ...text, format: 'binary' } } },
  };
}
