import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { counted } from '../../../shared/domain/counted.ts';
import { type LabelLanguage, labelsOfType } from '../../../shared/domain/entity/labels/labels.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal, Unavailable } from '../../../shared/domain/errors.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { ownWork, searched, withBody } from '../../../shared/http/describe/error-lists.ts';
import { id, ids, objectOf, searchInBody, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { requireObject } from '../../../shared/http/require-object.ts';
import type { GeneratedFile, SavedFile } from '../../../shared/http/save-export.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import { setIgnoredHeader } from '../../../shared/http/set-ignored-header.ts';
import { type RecordView, viewFor } from '../../../shared/search/record-view.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import type { WritingContext } from '../context.ts';
import { type RecordPlace, readSlices } from '../lists/fetch-page.ts';
import { prepareSearch } from '../lists/search-records.ts';
import { readLanguage } from '../metadata/read-language.ts';
import { type IdRoute, readReader } from '../request/read-reader.ts';
import { labelOfAttribute } from './column-labels.ts';
import { badExport, fileOf, planExport } from './plan-export.ts';
import { toCsv } from './to-csv.ts';
import { toXlsx } from './to-xlsx.ts';

/** Registers exports of records to files (docs/reference/files.md#exporting). */
export function registerExportRoutes(server: FastifyInstance, context: WritingContext): void {
  const { inSnapshot, prepare } = context;

  /** Throws unless the export was made by the requesting user. */
  async function requireOwn(request: FastifyRequest<IdRoute>): Promise<void> {
    const reader = await readReader(context, request, attachmentType);
    await context.readRecord({ ...reader, id: request.params.id });
  }

  server.post('/api/v1/Export', startExport, async (request, reply) => {
    const actor = await readActor(context, request);
    const body = requireObject(request.body);
    const planned = planExport({ actor, body }, context.directory);
    const saved = await inSnapshot(actor, async (pool) => {
      const reading = { ...context, pool, searchPool: { of: () => pool, prepare } };
      const language = readLanguage(request.headers['accept-language'], {
        directory: context.directory,
        userId: actor.id,
      });
      const produce = await exportRecords(reading, { actor, language }, planned);
      return context.saveExport(request, { ...fileOf(planned), produce });
    });
    setIgnoredHeader(reply, planned.ignored);
    return sendResult(
      reply,
      body['idle'] === true ? { exportId: saved.id } : { id: saved.id },
      saved,
    );
  });

  // Exports are always made immediately, even with `idle`. An export and its file have the same id.
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
        format: { enum: ['csv', 'xlsx'] },
        ids,
        ...searchInBody,
        attributeList: { type: 'array', items: text },
        fieldList: { type: 'array', items: text },
        timeZone: {
          ...text,
          description: 'The time zone of times in a spreadsheet (`xlsx`). Defaults to UTC.',
        },
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

/**
 * Prepares an export file: the records that the actor may read, with the attributes that the actor may see. `context`
 * must read from one snapshot until all bytes are produced. Throws a refusal if there are too many records; `produce`
 * throws one if there are too many bytes.
 */
async function exportRecords(
  context: WritingContext,
  { actor, language }: { readonly actor: Actor; readonly language: LabelLanguage },
  planned: ReturnType<typeof planExport>,
): Promise<GeneratedFile['produce']> {
  const { model, ids, filter, orderBy, direction, attributes } = planned;
  const { maxExportRecords: maxRecords, maxExportBytes: maxBytes } = context.config;
  if (ids !== undefined && ids.length > maxRecords) throw tooMany(maxRecords);
  const view = viewFor(actor, model, context.directory.entity);
  const columns = columnsFor(model, view, attributes);
  const request = {
    offset: 0,
    maxSize: maxRecords,
    orderBy,
    direction,
    select: columns,
    isWhole: true,
    withTotal: false,
    filter,
  };
  const found = { actor, model, view, request, ...(ids === undefined ? {} : { ids }) };
  const search = await prepareSearch(context, found);
  // Without a total, `readPlaces` returns one more record than the page has.
  const places = await search.readPlaces();
  if (places.length > maxRecords) throw tooMany(maxRecords);
  const sheet = sheetOf(planned, columns, language);
  return () => {
    const slices = readAll(context, search, places);
    const pieces = planned.format === 'csv' ? toCsv(columns, slices) : toXlsx(sheet, slices);
    return withinLimit(pieces, maxBytes);
  };
}

function sheetOf(
  { model, clock }: ReturnType<typeof planExport>,
  columns: readonly string[],
  language: LabelLanguage,
) {
  const [, name] = labelsOfType(model, language);
  return {
    name,
    clock,
    columns: columns.map((attribute) => ({
      name: attribute,
      label: labelOfAttribute(model, attribute, language),
      kind: model.attribute.get(attribute)?.kind ?? 'string',
    })),
  };
}

/**
 * Throws if a record is missing because a rebuild has replaced its table: the snapshot does not show the new table's
 * rows.
 */
async function* readAll(
  context: WritingContext,
  search: Parameters<typeof readSlices>[1],
  places: readonly RecordPlace[],
): AsyncGenerator<readonly Row[]> {
  let count = 0;
  for await (const rows of readSlices(context, search, places)) {
    count += rows.length;
    yield rows;
  }
  if (count < places.length) throw new Unavailable('The read model is being replaced.');
}

async function* withinLimit(
  pieces: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const piece of pieces) {
    bytes += piece.length;
    if (bytes > maxBytes) throw tooLarge(maxBytes);
    yield piece;
  }
}

/** Returns the selected columns, or the default list columns. Omits unknown and hidden attributes, as lists do. */
function columnsFor(
  model: EntityModel,
  view: RecordView,
  selected: readonly string[] | undefined,
): readonly string[] {
  const usual = [
    'id',
    ...model.attributes.filter((one) => !one.singleReadOnly).map((one) => one.name),
  ];
  const columns = (selected ?? usual).filter((name) => {
    const attribute = model.attribute.get(name);
    return name === 'id' || (attribute !== undefined && view.isVisible(attribute));
  });
  if (columns.length > 0) return columns;
  throw badExport(
    'No column is left: the selected attributes do not exist, or your role hides them.',
  );
}

function tooMany(maxRecords: number): Refusal {
  const message =
    `An export has at most ${counted(maxRecords, 'record')} (API_EXPORT_LIMIT). ` +
    "Select fewer with 'where' or 'ids'.";
  return new Refusal('invalid', 'export.too_many', message);
}

function tooLarge(maxBytes: number): Refusal {
  const message =
    `An export has at most ${counted(maxBytes, 'byte')} (API_EXPORT_MAX_BYTES). ` +
    "Select fewer columns with 'attributeList', or fewer records with 'where' or 'ids'.";
  return new Refusal('invalid', 'export.too_large', message);
}
