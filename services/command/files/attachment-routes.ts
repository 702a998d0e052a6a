import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { deriveValues } from '../../../shared/domain/input/derive-values.ts';
import { joinProblems } from '../../../shared/domain/input/join-problems.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
import { digestPieces, type Pieces, provenPieces } from '../../../shared/files/file-pieces.ts';
import { describeRoute, noContent } from '../../../shared/http/describe/describe-route.ts';
import { written } from '../../../shared/http/describe/error-lists.ts';
import { writeHeaders } from '../../../shared/http/describe/headers.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import type { SaveExport } from '../../../shared/http/save-export.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { type AnsweredRecord, answerRecord } from '../http/send-written.ts';
import { refuseProblems } from '../records/input/refuse-problems.ts';
import { type StoredFile, uploadCommand } from './file-commands.ts';
import { planUpload, readFileInUrl, requireUploader } from './plan-upload.ts';
import { receiveUpload } from './receive-upload.ts';
import { createUploadOptions } from './upload-routes.ts';

/** Allowance for the other properties in the body. */
const BYTES_OF_REST = 64 * 1024;
/** Registers the routes for uploads (docs/reference/files.md#uploading). */
export function registerAttachmentRoutes(server: FastifyInstance, context: CommandContext): void {
  const { maxUploadBytes, maxStreamedBytes } = context.config;
  const { options, authenticate } = createUploadOptions(context, {
    // Base64 encodes three bytes in four characters.
    bodyLimit: Math.ceil(maxUploadBytes / 3) * 4 + BYTES_OF_REST,
    maxBytes: maxUploadBytes,
    streamed: { bodyLimit: maxStreamedBytes + BYTES_OF_REST, maxBytes: maxStreamedBytes },
    requireAllowed: (actor) => requireUploader(actor, context.directory),
  });
  void server.register(async (scope) => {
    // The handler reads the stream itself.
    scope.addContentTypeParser('multipart/form-data', (_request: unknown, payload, done) =>
      done(null, payload),
    );
    // Clients may use the plural of an entity type here, as in other paths.
    for (const [path, schema] of [
      ['/api/v1/Attachment', create],
      ['/api/v1/attachments', { schema: { hide: true } }],
    ] as const) {
      scope.post(path, { ...options, ...schema }, async (request, reply) =>
        answerRecord(context, reply, await upload({ ...context, authenticate }, request)),
      );
    }
  });
}

async function upload(context: CommandContext, request: FastifyRequest): Promise<AnsweredRecord> {
  if (request.body instanceof Readable) return uploadStreamed(context, request, request.body);
  const actor = await context.authenticate(request);
  const body = requireObject(request.body);
  const { planned, file } = planUpload(
    {
      actor,
      body,
      readFile: () => readFileInUrl(body['file']),
      maxBytes: context.config.maxUploadBytes,
    },
    context,
  );
  const { content, size } = file;
  const sha256 = createHash('sha256').update(content).digest('hex');
  return saveUpload(context, request, {
    stored: { ...planned, role: 'Attachment', size, sha256 },
    read: () => [content],
  });
}

/** The file is on this machine's disk until it is stored, because its hash is known only at its end. */
async function uploadStreamed(
  context: CommandContext,
  request: FastifyRequest,
  payload: Readable,
): Promise<AnsweredRecord> {
  const actor = await context.authenticate(request);
  const { maxStreamedBytes: maxBytes } = context.config;
  const { headers } = request;
  const { file, fields, fileName, type } = await receiveUpload(payload, { headers, maxBytes });
  try {
    const { size, sha256 } = file;
    const body = { name: fileName, ...fields };
    const readFile = () => ({ size, type });
    const { planned } = planUpload({ actor, body, readFile, maxBytes }, context);
    return await saveUpload(context, request, {
      stored: { ...planned, role: 'Attachment', size, sha256 },
      read: file.read,
    });
  } finally {
    await file.close();
  }
}

async function saveUpload(
  context: CommandContext,
  request: FastifyRequest,
  { stored, read }: Pick<FileToSave, 'stored'> & { readonly read: () => Pieces },
): Promise<AnsweredRecord> {
  const model = context.directory.entity(attachmentType);
  if (model === undefined) throw new Error('attachments are not defined');
  requireName(model, stored.name);
  await context.scanFile(read());
  return saveFile(context, request, { stored, pieces: read(), body: { ...stored } });
}

/**
 * Saves a file that a request produced. Repeating the request with the same Idempotency-Key returns the first file,
 * even if the records have changed. The bytes are produced twice, because chunks are named after the hash of the whole
 * file, which the first pass computes. As a result, the file is never completely in memory, and an export that fails in
 * the first pass writes nothing to the log.
 */
export async function saveExport(
  context: CommandContext,
  request: FastifyRequest,
  { produce, name, type }: Parameters<SaveExport>[1],
): ReturnType<SaveExport> {
  const nowhere = { field: null, relatedType: null, parentType: null };
  const digest = await digestPieces(produce());
  const { size, sha256 } = digest;
  const stored = { name, type, ...nowhere, role: 'Export File', size, sha256 } as const;
  const pieces = provenPieces(produce(), digest);
  const { answer } = await saveFile(context, request, { pieces, stored, body: request.body });
  const { state, consistencyToken, isReplay } = answer;
  return { id: state.id, consistencyToken, isReplay };
}

interface FileToSave {
  readonly pieces: Pieces;
  readonly stored: StoredFile;
  /** Included in the hash of the request, see hash-request.ts. */
  readonly body: unknown;
}

/**
 * Stores the bytes first, then the record that refers to them, so that the bytes of every visible record exist. A crash
 * in between leaves bytes that no record refers to.
 */
export async function saveFile(
  context: CommandContext,
  request: FastifyRequest,
  { body, pieces, stored }: FileToSave,
): Promise<AnsweredRecord> {
  const input = { command: uploadCommand, body, entity: attachmentType };
  const command = await readCommand(context, request, input);
  const { sha256, size } = stored;
  await context.putFile({ sha256, size, pieces });
  // The record has its whole time, even if storing the bytes took long.
  const deadline = context.now() + context.timeoutMs;
  const answer = await context.sender.send(uploadCommand, { ...command, deadline, body: stored });
  return { request, command, answer };
}

/** Checks the name before the bytes are written. The owner of the record checks it again. */
function requireName(model: EntityModel, name: unknown): void {
  const { values, problems } = readInput(model, { name }, 'create');
  refuseProblems(model, joinProblems(model, problems, deriveValues(model, null, values).problems));
}

const place: Part = { anyOf: [{ required: ['relatedType'] }, { required: ['parentType'] }] };

const uploadProperties: Part = {
  name: { ...text, minLength: 1, maxLength: 255 },
  type: {
    ...text,
    maxLength: 100,
    description: 'Media type. Default: the media type of the data URL or of the part.',
  },
  role: { const: 'Attachment' },
  relatedType: { ...text, description: 'Entity type of a field that holds one file.' },
  parentType: { ...text, description: 'Entity type of a field that holds several files.' },
  field: { ...text, description: 'The field that will hold the file.' },
};

const uploadBody: Part = {
  ...objectOf(
    {
      ...uploadProperties,
      file: { ...text, description: 'The content as a base64 data URL.' },
    },
    ['name', 'field', 'file'],
  ),
  ...place,
  examples: [
    {
      name: 'a.txt',
      type: 'text/plain',
      role: 'Attachment',
      parentType: 'Case',
      field: 'attachments',
      file: 'data:text/plain;base64,aGk=',
    },
  ],
};

/** The name is optional, because the part with the file has one. */
const uploadForm: Part = {
  ...objectOf({ ...uploadProperties, file: { ...text, format: 'binary' } }, ['field', 'file']),
  ...place,
};

const create = describeRoute({
  id: 'createAttachment',
  tag: attachmentType,
  summary: 'Create a record of Attachment',
  parameters: ['Idempotency-Key', 'Prefer'],
  body: refer('schemas', 'Attachment_create'),
  multipart: refer('schemas', 'Attachment_upload'),
  schemas: { Attachment_create: uploadBody, Attachment_upload: uploadForm },
  answer: refer('schemas', attachmentType),
  headers: [...writeHeaders, 'X-Warning'],
  errors: [
    ...written,
    'file.busy',
    'file.infected',
    'file.invalid',
    'file.quota',
    'file.too_large',
    'file.type',
    'record.exists',
    'record.invalid',
    'request.too_slow',
  ],
  more: noContent,
});
