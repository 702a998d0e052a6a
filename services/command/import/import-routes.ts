import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import type { ImportResult } from '../../../shared/domain/import/import-result.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { reading, written } from '../../../shared/http/describe/error-lists.ts';
import type { Part } from '../../../shared/http/describe/part.ts';
import {
  anything,
  count,
  id,
  nullableText,
  objectOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { saveFile } from '../files/attachment-routes.ts';
import { createUploadOptions } from '../files/upload-routes.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { massActionModel, massActionType } from '../mass-actions/mass-action.ts';
import { massActionCommand } from '../mass-actions/mass-action-commands.ts';
import { planUndo } from '../mass-actions/plan-undo.ts';
import {
  type DecidedMassAction,
  endUnlessIdle,
  startMassAction,
} from '../mass-actions/start-mass-action.ts';
import type { Command } from '../owner/command.ts';
import { importFileRole } from './import-file.ts';
import { importAction, requireImporter } from './import-plan.ts';
import { planImport } from './plan-import.ts';
import { badFile } from './read-csv.ts';

type Params = { readonly id: string };
/** The types that browsers and systems give to CSV files. */
const fileTypes = [
  'text/csv',
  'text/plain',
  'application/octet-stream',
  'application/vnd.ms-excel',
];

/** Registers the routes that import files (docs/reference/import.md). An import is a mass action. */
export function registerImportRoutes(server: FastifyInstance, context: CommandContext): void {
  registerUpload(server, context);

  server.post('/api/v1/Import', start, async (request, reply) => {
    const model = massActionModel(context.directory);
    const input = { command: massActionCommand, body: request.body, model };
    const command = await readCommand(context, request, input);
    const decided = await startMassAction(command, () => planImport(command, context), context);
    const ended = await endSoon(command, decided, context);
    const { created = 0, updated = 0 } = ended === undefined ? {} : (resultIn(ended) ?? {});
    const counts = { countCreated: created, countUpdated: updated, manualMode: false };
    return sendJson(setWriteHeaders(reply, [decided]), { id: decided.state.id, ...counts });
  });

  server.post<{ Params: Params }>('/api/v1/Import/:id/revert', revert, async (request, reply) => {
    const { state } = await readOwn(context, request);
    const model = massActionModel(context.directory);
    const input = { command: massActionCommand, body: request.body ?? {}, model };
    const command = await readCommand(context, request, input);
    const changeId = `${massActionType}/${state.id}`;
    const plan = async () => planUndo({ ...command, changeId }, context);
    const decided = await startMassAction(command, plan, context);
    await endSoon(command, decided, context);
    return sendJson(setWriteHeaders(reply, [decided]), true);
  });

  server.post<{ Params: Params }>(
    '/api/v1/Import/:id/exportErrors',
    exportErrors,
    async (request, reply) => {
      const { state } = await readOwn(context, request);
      const attachmentId = resultIn(state)?.rejectedFileId ?? null;
      return sendJson(reply, attachmentId === null ? null : { attachmentId });
    },
  );
}

/** The body is the file itself, not JSON. */
function registerUpload(server: FastifyInstance, context: CommandContext): void {
  const bodyLimit = context.config.maxUploadBytes;
  const limits = { bodyLimit, maxBytes: bodyLimit };
  const upload = createUploadOptions(context, { ...limits, requireAllowed: requireImporter });
  const { options, authenticate } = upload;
  void server.register(async (scope) => {
    scope.addContentTypeParser(
      fileTypes,
      { parseAs: 'buffer' },
      (_request: unknown, bytes: Buffer, done: (error: null, body: Buffer) => void) =>
        done(null, bytes),
    );
    scope.post('/api/v1/Import/file', { ...options, ...uploadFile }, async (request, reply) => {
      const content = request.body;
      if (!Buffer.isBuffer(content) || content.length === 0) throw badFile('The file is empty.');
      const sha256 = createHash('sha256').update(content).digest('hex');
      const nowhere = { field: null, relatedType: null, parentType: null };
      const facts = { role: importFileRole, size: content.length, sha256, ...nowhere };
      const stored = { name: 'Import.csv', type: 'text/csv', ...facts };
      await context.scanFile([content]);
      const { answer } = await saveFile({ ...context, authenticate }, request, {
        pieces: [content],
        stored,
        body: stored,
      });
      return sendJson(setWriteHeaders(reply, [answer]), { attachmentId: answer.state.id });
    });
  });
}

/** Returns the ended mass action; undefined if the request is idle, or the mass action needs more time. */
async function endSoon(
  command: Command,
  decided: DecidedMassAction,
  context: CommandContext,
): Promise<RecordState | undefined> {
  const isIdle = command.body['idleMode'] === true;
  try {
    return await endUnlessIdle({ ...command, body: { idle: isIdle } }, decided, context);
  } catch (error) {
    // It continues in the background, on this instance or on another one.
    if (error instanceof Unavailable) return undefined;
    throw error;
  }
}

function resultIn({ values }: RecordState): ImportResult | undefined {
  const json = values['result'];
  return typeof json === 'string' ? JSON.parse(json) : undefined;
}

async function readOwn(
  context: CommandContext,
  request: FastifyRequest<{ Params: Params }>,
): Promise<{ readonly actor: Actor; readonly state: RecordState }> {
  const actor = await readActor(context, request);
  requireImporter(actor);
  const state = await context.readMassAction(request.params.id);
  const { action, createdById } = state?.values ?? {};
  const isOwn = createdById === actor.id || actor.type === 'admin';
  if (state !== undefined && action === importAction && isOwn) return { actor, state };
  throw new Refusal('not_found', 'import.not_found', 'This import does not exist.');
}

const tag = 'Several records';

const uploadFile = describeRoute({
  id: 'Import_file',
  tag,
  summary: 'Upload a CSV file to import',
  parameters: ['Idempotency-Key'],
  bodyType: 'text/csv',
  body: { ...text, description: 'The file, up to `API_UPLOAD_LIMIT`.' },
  answer: objectOf({ attachmentId: id }),
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  errors: [
    ...written,
    'file.busy',
    'file.infected',
    'file.quota',
    'file.too_large',
    'import.file',
    'record.exists',
    'record.invalid',
    'request.too_slow',
  ],
});

const column: Part = {
  ...nullableText,
  description: 'The attribute of a column. Null or an empty text skips the column.',
};

const startBody = objectOf(
  {
    entityType: id,
    attachmentId: { ...id, description: 'From `POST Import/file`.' },
    fileName: { ...text, description: 'Shown in lists of imports.' },
    attributeList: { type: 'array', items: column, maxItems: 500, examples: [['lastName', null]] },
    action: { enum: ['create', 'createAndUpdate', 'update'], default: 'create' },
    updateBy: {
      type: 'array',
      items: count,
      description: 'The columns, counted from 0, by which records to update are found.',
    },
    duplicates: {
      enum: ['create', 'skip', 'update'],
      default: 'create',
      description: 'The action for rows with the same name or e-mail address as a record.',
    },
    skipDuplicateChecking: { type: 'boolean', default: false },
    dryRun: {
      type: 'boolean',
      default: false,
      description: 'Count what would happen, and change nothing.',
    },
    headerRow: { type: 'boolean', default: false },
    delimiter: { ...text, default: ',', description: 'A character, or `\\t`.' },
    textQualifier: { ...text, default: '"' },
    encoding: { enum: ['utf-8', 'utf-16le', 'windows-1252'], default: 'utf-8' },
    dateFormat: { ...text, default: 'YYYY-MM-DD' },
    timeFormat: { ...text, default: 'HH:mm' },
    timezone: { ...text, default: 'UTC' },
    decimalMark: { enum: ['.', ','], default: '.' },
    currency: { ...text, description: 'The currency of amounts without one.' },
    personNameFormat: { enum: ['f l', 'l f', 'l, f', 'f m l', 'l f m'] },
    defaultValues: anything,
    idleMode: { type: 'boolean', description: 'True: respond immediately with zero counts.' },
  },
  ['entityType', 'attachmentId', 'attributeList'],
);

const start = describeRoute({
  id: 'Import_start',
  tag,
  summary: 'Import a CSV file',
  description:
    'Rows that would be invalid are rejected, the others are imported. An import that takes longer than the request continues in the background: read its progress with `GET Import/{id}`.',
  parameters: ['Idempotency-Key'],
  body: startBody,
  answer: objectOf({ id, countCreated: count, countUpdated: count, manualMode: { const: false } }),
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  errors: [...written, 'body.value_missing', 'import.body', 'import.file', 'mass_action.too_many'],
});

const ofImport = ['access.denied', 'import.not_found'] as const;

const revert = describeRoute({
  id: 'Import_revert',
  tag,
  summary: 'Undo an import',
  description:
    'Deletes the records that the import created, and restores the values that it changed, with new changes. Like `POST Undo` with `MassAction/{id}`.',
  parameters: ['id', 'Idempotency-Key'],
  body: objectOf({ idleMode: { type: 'boolean' } }, []),
  isBodyOptional: true,
  answer: { const: true },
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  errors: [
    ...written,
    ...ofImport,
    'access.admin_only',
    'mass_action.too_many',
    'undo.expired',
    'undo.not_found',
    'undo.nothing',
    'undo.running',
  ],
});

const exportErrors = describeRoute({
  id: 'Import_exportErrors',
  tag,
  summary: 'Find the file of rejected rows',
  description:
    'Null if no row was skipped or rejected. Download it with `GET /Attachment/file/{id}`.',
  parameters: ['id', 'X-Consistency-Token'],
  answer: { anyOf: [objectOf({ attachmentId: id }), { type: 'null' }] },
  errors: [
    ...reading,
    ...ofImport,
    'import.no_link',
    'import.no_match',
    'import.text',
    'import.too_many_rejected',
  ],
});
