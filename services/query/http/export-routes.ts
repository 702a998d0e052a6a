import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { type ReaderDeps, readActor } from '../../../shared/http/read-actor.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import type { SavedFile, SaveExport } from '../../../shared/http/save-export.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { createPrepare } from '../../../shared/search/prepare-statement.ts';
import { viewFor } from '../../../shared/search/record-view.ts';
import { exportRecords } from '../export/export-records.ts';
import { planExport } from '../export/plan-export.ts';
import { createReadRecord } from '../search/record/read-record.ts';
import type { SearchDeps } from '../search/rows/finish-rows.ts';

export interface ExportRouteDeps extends Omit<SearchDeps, 'prepare'>, ReaderDeps {
  readonly directory: Directory;
  readonly saveExport: SaveExport;
  /** Maximum number of records in an export. */
  readonly maxRecords: number;
}

type Params = { readonly id: string };

/** Records as a file (docs/reference/files.md#exporting). */
export function registerExportRoutes(server: FastifyInstance, deps: ExportRouteDeps): void {
  const search = { ...deps, prepare: createPrepare() };
  const readRecord = createReadRecord(search);

  /** Throws unless the export was made by the requesting user. */
  async function requireOwn(request: FastifyRequest<{ Params: Params }>): Promise<void> {
    const actor = await readActor(deps, request);
    const model = deps.directory.entity(attachmentType);
    if (model === undefined) throw new Error('there are no attachments');
    const view = viewFor(actor, model, deps.directory.entity);
    await readRecord({ actor, model, view, id: request.params.id });
  }

  server.post('/api/v1/Export', async (request, reply) => {
    const actor = await readActor(deps, request);
    const body = requireObject(request.body);
    const planned = planExport({ actor, body }, deps.directory);
    const content = await exportRecords(search, actor, planned);
    const name = `Export_${planned.model.name}.csv`;
    const saved = await deps.saveExport(request, { name, type: 'text/csv', content });
    return answer(reply, body['idle'] === true ? { exportId: saved.id } : { id: saved.id }, saved);
  });

  // Exports are always made at once, also with `idle`: the id of the export is that of the file.
  server.get<{ Params: Params }>('/api/v1/Export/:id/status', async (request, reply) => {
    await requireOwn(request);
    return sendJson(reply, { status: 'Success', attachmentId: request.params.id });
  });
  server.post<{ Params: Params }>('/api/v1/Export/:id/subscribe', async (request, reply) => {
    await requireOwn(request);
    return sendJson(reply, true);
  });
}

function answer(
  reply: FastifyReply,
  body: unknown,
  { consistencyToken, isReplay }: SavedFile,
): FastifyReply {
  void reply.header('X-Consistency-Token', consistencyToken);
  if (isReplay) void reply.header('Idempotency-Replayed', 'true');
  return sendJson(reply, body);
}
