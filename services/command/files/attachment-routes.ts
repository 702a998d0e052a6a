import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { deriveValues } from '../../../shared/domain/input/derive-values.ts';
import { joinProblems } from '../../../shared/domain/input/join-problems.ts';
import { readInput } from '../../../shared/domain/input/read-input.ts';
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
import { digestPieces, type Pieces, provenPieces } from './file-pieces.ts';
import { planUpload, requireUploader } from './plan-upload.ts';
import { createUploadOptions } from './upload-routes.ts';

/** Allowance for the other properties in the body. */
const BYTES_OF_REST = 64 * 1024;
/** Registers the routes for uploads (docs/reference/files.md#uploading). */
export function registerAttachmentRoutes(server: FastifyInstance, context: CommandContext): void {
  // Base64 encodes three bytes in four characters.
  const bodyLimit = Math.ceil(context.config.maxUploadBytes / 3) * 4 + BYTES_OF_REST;
  const { options, authenticate } = createUploadOptions(context, {
    bodyLimit,
    requireAllowed: (actor) => requireUploader(actor, context.directory),
  });
  // Clients may use the plural of an entity type here, as in other paths.
  for (const [path, schema] of [
    ['/api/v1/Attachment', create],
    ['/api/v1/attachments', { schema: { hide: true } }],
  ] as const) {
    server.post(path, { ...options, ...schema }, async (request, reply) =>
      answerRecord(context, reply, await upload({ ...context, authenticate }, request)),
    );
  }
}

async function upload(context: CommandContext, request: FastifyRequest): Promise<AnsweredRecord> {
  const model = context.directory.entity(attachmentType);
  if (model === undefined) throw new Error('attachments are not defined');
  const actor = await context.authenticate(request);
  const body = requireObject(request.body);
  const { content, ...planned } = planUpload({ actor, body }, context);
  requireName(model, planned.name);
  const sha256 = createHash('sha256').update(content).digest('hex');
  const stored = { ...planned, role: 'Attachment', size: content.length, sha256 } as const;
  return saveFile(context, request, { pieces: [content], stored, body: { ...stored } });
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
 * Writes the bytes first, then the record that refers to them, so that the log contains the bytes of every visible
 * record. A crash in between leaves bytes that no record refers to.
 */
export async function saveFile(
  context: CommandContext,
  request: FastifyRequest,
  { body, pieces, stored }: FileToSave,
): Promise<AnsweredRecord> {
  const input = { command: uploadCommand, body, entity: attachmentType };
  const command = await readCommand(context, request, input);
  const { sha256, size } = stored;
  await context.appendFile({ sha256, size, pieces });
  const answer = await context.sender.send(uploadCommand, { ...command, body: stored });
  return { request, command, answer };
}

/** Checks the name before the bytes are written. The owner of the record checks it again. */
function requireName(model: EntityModel, name: unknown): void {
  const { values, problems } = readInput(model, { name }, 'create');
  refuseProblems(model, joinProblems(model, problems, deriveValues(model, null, values).problems));
}

const uploadBody: Part = {
  ...objectOf(
    {
      name: { ...text, minLength: 1, maxLength: 255 },
      type: {
        ...text,
        maxLength: 100,
        description: 'Media type. Default: the media type of the data URL.',
      },
      role: { const: 'Attachment' },
      relatedType: { ...text, description: 'Entity type of a field that holds one file.' },
      parentType: { ...text, description: 'Entity type of a field that holds several files.' },
      field: { ...text, description: 'The field that will hold the file.' },
      file: { ...text, description: 'The content as a base64 data URL.' },
    },
    ['name', 'field', 'file'],
  ),
  anyOf: [{ required: ['relatedType'] }, { required: ['parentType'] }],
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

const create = describeRoute({
  id: 'createAttachment',
  tag: attachmentType,
  summary: 'Create a record of Attachment',
  parameters: ['Idempotency-Key', 'Prefer'],
  body: refer('schemas', 'Attachment_create'),
  schemas: { Attachment_create: uploadBody },
  answer: refer('schemas', attachmentType),
  headers: [...writeHeaders, 'X-Warning'],
  errors: [
    ...written,
    'file.busy',
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
