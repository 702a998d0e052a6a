import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { ownWork, searched, withBody } from '../../../shared/http/describe/error-lists.ts';
import { id, ids, objectOf, searchInBody, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import type { SavedFile, SaveExport } from '../../../shared/http/save-export.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { setIgnoredHeader } from '../../../shared/http/set-ignored-header.ts';
import type { InSnapshot } from '../../../shared/search/open-snapshots.ts';
import { createPrepare } from '../../../shared/search/run-statement.ts';
import { createReadRecord } from '../records/read-record.ts';
import { type IdRoute, type ReadDeps, readReader } from '../request/read-reader.ts';
import { exportRecords } from './export-records.ts';
import { planExport } from './plan-export.ts';

export interface ExportRouteDeps extends Omit<ReadDeps, 'prepare'> {
  readonly saveExport: SaveExport;
  readonly inSnapshot: InSnapshot;
  readonly config: {
    /** Maximum number of records in an export. */
    readonly maxExportRecords: number;
    /** Maximum size of an export's file. */
    readonly maxExportBytes: number;
  };
}

/** Registers exports of records to files (docs/reference/files.md#exporting). */
export function registerExportRoutes(server: FastifyInstance, deps: ExportRouteDeps): void {
  const search = { ...deps, prepare: createPrepare() };
  const limits = {
    maxRecords: deps.config.maxExportRecords,
    maxBytes: deps.config.maxExportBytes,
  };
  const readRecord = createReadRecord(search);

  /** Throws unless the export was made by the requesting user. */
  async function requireOwn(request: FastifyRequest<IdRoute>): Promise<void> {
    const reader = await readReader(search, request, attachmentType);
    await readRecord({ ...reader, id: request.params.id });
  }

  server.post('/api/v1/Export', startExport, async (request, reply) => {
    const actor = await readActor(deps, request);
    const body = requireObject(request.body);
    const planned = planExport({ actor, body }, deps.directory);
    const saved = await deps.inSnapshot(actor, async (pool) => {
      const searchPool = { of: () => pool, prepare: search.prepare };
      const reading = { ...search, ...limits, pool, searchPool };
      const produce = await exportRecords(reading, actor, planned);
      const name = `Export_${planned.model.name}.csv`;
      return deps.saveExport(request, { name, type: 'text/csv', produce });
    });
    setIgnoredHeader(reply, planned.ignored);
    return sendResult(
      reply,
      body['idle'] === true ? { exportId: saved.id } : { id: saved.id },
      saved,
    );
  });

  // Exports are always made immediately, even with `idle`. The id of an export is the id of its file.
  server.get<IdRoute>('/api/v1/Export/:id/status', exportStatus, async (request, reply) => {
    await requireOwn(request);
    return sendJson(reply, { status: 'Success', attachmentId: request.params.id });
  });
  server.post<IdRoute>('/api/v1/Export/:id/subscribe', subscribe, async (request, reply) => {
    await requireOwn(request);
    return sendJson(reply, true);
  });
}

function sendResult(
  reply: FastifyReply,
  body: unknown,
  { consistencyToken, isReplay }: SavedFile,
): FastifyReply {
  void reply.header('X-Consistency-Token', consistencyToken);
  if (isReplay) void reply.header('Idempotency-Replayed', 'true');
  return sendJson(reply, body);
}

const tag = 'Several records';

const startExport = describeRoute({
  id: 'Export_start',
  tag,
  summary: 'Export records to a file',
  description: 'Download the file with `GET /Attachment/file/{id}`.',
  parameters: ['Idempotency-Key', 'X-Consistency-Token'],
  body: {
    ...objectOf(
      {
        entityType: id,
        format: { const: 'csv' },
        ids,
        ...searchInBody,
        attributeList: { type: 'array', items: text },
        fieldList: { type: 'array', items: text },
        idle: {
          type: 'boolean',
          description: 'If true, the response contains the id as `exportId`.',
        },
      },
      ['entityType'],
    ),
    description: 'Specify either ids or a search.',
  },
  answer: { type: 'object', properties: { id, exportId: id } },
  headers: ['Idempotency-Replayed', 'X-Consistency-Token', 'X-Ignored-Attributes'],
  errors: [
    ...withBody,
    ...searched,
    'access.denied',
    'consistency_token.invalid',
    'entity.unknown',
    'export.denied',
    'export.invalid',
    'export.not_allowed',
    'export.too_large',
    'export.too_many',
    'filter.unknown',
    'idempotency_key.invalid',
    'idempotency_key.reused',
    'order.unknown_attribute',
    'parameter.invalid',
    'where.invalid',
    'where.unknown_attribute',
  ],
});

const exportStatus = describeRoute({
  id: 'Export_status',
  tag,
  summary: 'Read the status of an export',
  parameters: ['id', 'X-Consistency-Token'],
  answer: objectOf({ status: { const: 'Success' }, attachmentId: id }),
  errors: ownWork,
});

const subscribe = describeRoute({
  id: 'Export_subscribe',
  tag,
  summary: 'Subscribe to the end of an export',
  description: 'Has no effect: an export is complete when its request is answered.',
  parameters: ['id', 'X-Consistency-Token'],
  answer: { const: true },
  errors: ownWork,
});
