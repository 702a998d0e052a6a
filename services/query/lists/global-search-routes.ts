import type { FastifyInstance } from 'fastify';
import { foldedText } from '../../../shared/db/sql/folded-text.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { streamed } from '../../../shared/http/describe/error-lists.ts';
import { id, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import {
  compileConditions,
  type ListedRows,
  liveRows,
  noFilter,
} from '../../../shared/search/list-filter.ts';
import { viewFor, withViewer } from '../../../shared/search/record-view.ts';
import { runStatement } from '../../../shared/search/run-statement.ts';
import { createBinder } from '../../../shared/search/where/binder.ts';
import type { QueryContext } from '../context.ts';
import { readPage } from '../request/read-page.ts';
import { badParameter, last, readParameters } from '../request/read-parameters.ts';
import type { QueryRoute } from '../request/read-reader.ts';
import { reportIgnoredForm } from '../request/report-ignored-selection.ts';
import { type Page, type RecordList, uncounted } from '../rows/page.ts';
import { quoteText } from '../rows/quote-text.ts';

/** Registers `GET GlobalSearch?q=` (docs/reference/search.md#global-search). */
export function registerGlobalSearch(server: FastifyInstance, context: QueryContext): void {
  server.get<QueryRoute>('/api/v1/GlobalSearch', globalSearch, async (request, reply) => {
    const actor = await readActor(context, request);
    const parameters = readParameters(request.query);
    const text = last(parameters, 'q')?.trim() ?? '';
    if (text === '') throw badParameter("Parameter 'q' is empty.");
    const { offset, maxSize } = readPage(parameters);
    reportIgnoredForm(reply, parameters);
    return searchEverywhere(context, { actor, text, offset, maxSize });
  });
}

const globalSearch = describeRoute({
  id: 'GlobalSearch',
  tag: 'Several records',
  summary: 'Search records of all types for text',
  parameters: [
    { name: 'q', in: 'query', required: true, schema: id },
    'offset',
    'maxSize',
    'X-Consistency-Token',
  ],
  answer: objectOf({
    total: { enum: [-1, -2], description: '-1 if more records follow, -2 if not.' },
    list: {
      type: 'array',
      items: objectOf({
        id,
        name: nullableText,
        _scope: { ...text, description: 'The entity type.' },
      }),
    },
  }),
  errors: [...streamed, 'where.invalid'],
});

/**
 * Returns a page of the readable records of all types that match a text search, with id, name and `_scope`. They are
 * sorted by type, in the order of the definitions, then by name. The total is not counted.
 */
async function searchEverywhere(
  { searchPool, directory, findCommonTrigrams }: QueryContext,
  { actor, text, offset, maxSize }: Page & { readonly actor: Actor; readonly text: string },
): Promise<RecordList> {
  const findModel = directory.entity;
  const viewed = directory
    .entities()
    .filter((model) => isSearched(actor, model))
    .map((model) => ({ model, view: viewFor(actor, model, findModel) }));
  const viewer = viewed.find(({ view }) => view.viewer.length > 0)?.view.viewer ?? [];
  if (viewed.length === 0) return { total: -2, list: [] };
  const binder = createBinder(viewer);
  const last = offset + maxSize + 1;
  const found = viewed.map(({ model, view }, order) => {
    const filtered = { actor, model, view, findModel, binder, findCommonTrigrams };
    const filter = compileConditions({ ...noFilter, text }, filtered);
    return `(${foundIn({ model, view, filter }, order)} order by "$name" nulls first, id limit ${last})`;
  });
  const statement =
    `select id, name, "_scope" from (${found.join(' union all ')}) f` +
    ` order by "$order", "$name" nulls first, id limit ${maxSize + 1} offset ${binder.bind(offset)}::bigint`;
  const rows = await runStatement(
    searchPool.of(actor),
    { text: withViewer({ viewer }, statement) },
    [...binder.values],
  );
  return uncounted(rows, maxSize);
}

/** Returns whether a type is searched: people work with its records, and the records have names. */
function isSearched(actor: Actor, { name, attribute, definition }: EntityModel): boolean {
  const isNamed = attribute.get('name')?.stored === true;
  return definition.isObject && isNamed && accessLevel(actor, name, 'read') !== 'no';
}

/** Sorts by the selected columns. Any other order would reveal something about hidden names. */
function foundIn(rows: ListedRows, order: number): string {
  const { model, view } = rows;
  const attribute = model.attribute.get('name');
  const isNameOpen = attribute !== undefined && view.isVisible(attribute);
  const [name, sorted] = isNameOpen
    ? [`t.${quotedColumn(attribute)}`, foldedText(model, attribute, 't.')]
    : ['null::text', 'null::text'];
  return (
    `select t.id, ${name} as name, ${sorted} as "$name", ${quoteText(model.name)} as "_scope", ${order} as "$order"` +
    ` from ${liveTable(model.name)} t where ${liveRows(rows)}`
  );
}
