import type { FastifyInstance, FastifyRequest } from 'fastify';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { commandKey } from '../../../shared/domain/record/command-key.ts';
import { stepPrefix } from '../../../shared/domain/record/step-key.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { listed, streamed } from '../../../shared/http/describe/error-lists.ts';
import { searchParameters } from '../../../shared/http/describe/parameters.ts';
import type { Part } from '../../../shared/http/describe/part.ts';
import {
  anything,
  count,
  id,
  nullableText,
  objectOf,
  pageOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import type { Binder } from '../../../shared/search/where/binder.ts';
import type { QueryContext } from '../context.ts';
import { readListRequest } from '../lists/read-list-request.ts';
import { searchRecords } from '../lists/search-records.ts';
import { readFixedPage } from '../request/read-page.ts';
import { readParameters } from '../request/read-parameters.ts';
import {
  type IdRoute,
  type QueryRoute,
  readReader,
  requireGranted,
} from '../request/read-reader.ts';
import { sendList } from '../request/send-list.ts';
import { type ImportError, readImportErrors } from './read-import-errors.ts';
import { type Import, readImport, readImports } from './read-imports.ts';

/** The lists of records that an import wrote, each with its condition on the event of the record. */
const lists = {
  imported: { condition: 'h.version = 1', summary: 'List the records that an import created' },
  updated: { condition: 'h.version > 1', summary: 'List the records that an import changed' },
  duplicates: {
    condition: "right(h.command_id, 1) = 'd'",
    summary: 'List the duplicates that an import created',
  },
} as const;

/** Registers reads of imports, for users with the scope `Import` (docs/reference/import.md). */
export function registerImportReads(server: FastifyInstance, context: QueryContext): void {
  async function readImporter(request: FastifyRequest) {
    const actor = await readActor(context, request);
    requireGranted(actor, 'Import');
    return actor;
  }

  server.get<QueryRoute>('/api/v1/Import', list, async (request, reply) => {
    const actor = await readImporter(request);
    const found = readFixedPage(readParameters(request.query), reply, 'desc');
    return readImports(context, actor, found);
  });

  server.get<IdRoute>('/api/v1/Import/:id', single, async (request) =>
    readImport(context, await readImporter(request), request.params.id),
  );

  server.get<IdRoute>('/api/v1/Import/:id/errors', errors, async (request, reply) => {
    const found = await readImport(context, await readImporter(request), request.params.id);
    const page = readFixedPage(readParameters(request.query), reply);
    return readImportErrors(context, found, page);
  });

  for (const [name, { condition, summary }] of Object.entries(lists)) {
    const described = describeList(name, summary);
    server.get<IdRoute>(`/api/v1/Import/:id/${name}`, described, async (request, reply) => {
      const found = await readImport(context, await readImporter(request), request.params.id);
      const reader = await readReader(context, request, found.entityType);
      const page = readListRequest(request.query, request.headers['x-no-total']);
      const conditions = writtenBy(found, condition);
      const records = await searchRecords(context, { ...reader, request: page, conditions });
      return sendList(reply, records, { ...reader, ...page, hasLinks: true });
    });
  }
}

/** Returns SQL over `t` that selects the records with an event from the import. */
function writtenBy({ createdById, entityType, id: importId }: Import, condition: string) {
  const prefix = commandKey(createdById, stepPrefix('mass', importId));
  return (binder: Binder) => [
    `t.id in (select h.record_id from ${liveSchema}.record_history h
       where h.command_id ^@ ${binder.bind(prefix)}::text and h.entity_type = ${binder.bind(entityType)}::text
         and ${condition})`,
  ];
}

const tag = 'Several records';

const reasonsSchema: Part = {
  type: 'array',
  description: 'The rejected rows by reason, the most frequent first.',
  items: objectOf({
    code: { ...text, description: 'An error code.' },
    message: { ...text, description: 'The reason of the first row.' },
    fields: { type: 'array', items: objectOf({ field: text, type: text }) },
    count,
    rows: {
      type: 'array',
      items: count,
      description: 'The first rows, counted from 1 without the header.',
    },
  }),
};

const importSchema: Part = objectOf({
  id,
  entityType: text,
  status: { enum: ['In Process', 'Complete', 'Failed'] },
  reason: {
    ...nullableText,
    description: 'Why it did not complete: an error code, or `cancelled`.',
  },
  fileId: id,
  fileName: nullableText,
  dryRun: { type: 'boolean' },
  attributeList: { type: 'array', items: nullableText },
  params: { ...anything, description: 'The options of the request.' },
  rowCount: { ...count, description: 'All rows of the file without the header.' },
  processedCount: {
    ...count,
    description: 'The rows with an outcome. Updated every five seconds while the import runs.',
  },
  importedCount: { ...count, description: 'The created records.' },
  updatedCount: count,
  unchangedCount: { ...count, description: 'The rows whose record already had all their values.' },
  duplicateCount: { ...count, description: 'The created records that are duplicates.' },
  skippedCount: { ...count, description: 'The rows that were skipped as duplicates.' },
  rejectedCount: count,
  reasons: reasonsSchema,
  rejectedFileId: {
    ...nullableText,
    description: 'The CSV file with all rows that were skipped or rejected, and the reasons.',
  },
  errorsFileId: { ...nullableText, description: 'The same rows with error codes, in English.' },
  undoneById: { ...nullableText, description: 'The mass action that undid the import.' },
  createdAt: { ...text, description: 'In UTC.', examples: ['2030-01-31 10:00:00'] },
  createdById: id,
  createdByName: nullableText,
} satisfies Record<keyof Import, Part>);

const errorSchema: Part = objectOf({
  id,
  importId: id,
  entityType: text,
  type: { enum: ['', 'Validation', 'No-Access', 'Not-Found'] },
  code: { ...text, description: 'An error code.' },
  message: text,
  rowIndex: { ...count, description: 'The row in the imported file; 0 is the first one.' },
  exportRowIndex: { ...count, description: 'The row in the file of rejected rows.' },
  row: { type: 'array', items: text },
  validationFailures: {
    type: 'array',
    items: objectOf({ entityType: text, field: text, type: text }),
  },
} satisfies Record<keyof ImportError, Part>);

const importErrors = [...streamed, 'access.denied'] as const;

const list = describeRoute({
  id: 'Import_list',
  tag,
  summary: 'List your imports',
  description: 'Newest first. Administrators get the imports of all users.',
  parameters: ['offset', 'maxSize', 'X-Consistency-Token'],
  answer: pageOf(importSchema, { maxItems: 200 }),
  errors: importErrors,
});

const single = describeRoute({
  id: 'Import_read',
  tag,
  summary: 'Read the progress and the result of an import',
  parameters: ['id', 'X-Consistency-Token'],
  answer: importSchema,
  errors: [...importErrors, 'import.not_found'],
});

const errors = describeRoute({
  id: 'Import_errors',
  tag,
  summary: 'List the rows that an import skipped or rejected',
  parameters: ['id', 'offset', 'maxSize', 'X-Consistency-Token'],
  answer: pageOf(errorSchema, { maxItems: 200 }),
  errors: [...importErrors, 'import.not_found'],
});

function describeList(name: string, summary: string) {
  return describeRoute({
    id: `Import_${name}`,
    tag,
    summary,
    description: 'Records that were deleted since, and records that you may not read, are missing.',
    parameters: ['id', ...searchParameters, 'X-No-Total'],
    answer: objectOf({
      total: { type: 'integer', minimum: -2, description: 'The number of records on all pages.' },
      list: { type: 'array', items: anything, maxItems: 200 },
    }),
    headers: ['Link', 'X-Ignored-Attributes'],
    errors: [...listed, 'import.not_found'],
  });
}
