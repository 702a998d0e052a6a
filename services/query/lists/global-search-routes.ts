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
import { readTextMode } from '../../../shared/search/read-search-params.ts';
import { viewFor, withViewer } from '../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import { createBinder } from '../../../shared/search/where/binder.ts';
import type { TextMode } from '../../../shared/search/where/where-context.ts';
import type { QueryContext } from '../context.ts';
import { readPage } from '../request/read-page.ts';
import { badParameter, last, readParameters } from '../request/read-parameters.ts';
import type { QueryRoute } from '../request/read-reader.ts';
import { reportIgnoredForm } from '../request/report-ignored-selection.ts';
import { type Page, type RecordList, uncounted } from '../rows/page.ts';
import { quoteText } from '../rows/quote-text.ts';
import { alternativesOf, MOST_FOUND } from './list-statement.ts';

/** Registers `GET GlobalSearch?q=` (docs/reference/search.md#global-search). */
export function registerGlobalSearch(server: FastifyInstance, context: QueryContext): void {
  server.get<QueryRoute>('/api/v1/GlobalSearch', globalSearch, async (request, reply) => {
    const actor = await readActor(context, request);
    const parameters = readParameters(request.query);
    const text = last(parameters, 'q')?.trim() ?? '';
    if (text === '') throw badParameter("Parameter 'q' is empty.");
    const textMode = readTextMode(last(parameters, 'textFilterMode'));
    const { offset, maxSize } = readPage(parameters);
    reportIgnoredForm(reply, parameters);
    return searchEverywhere(context, { actor, text, textMode, offset, maxSize });
  });
}

const globalSearch = describeRoute({
  id: 'GlobalSearch',
  tag: 'Several records',
  summary: 'Search records of all types for text',
  parameters: [
    { name: 'q', in: 'query', required: true, schema: id },
    'textFilterMode',
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

interface GlobalSearch extends Page {
  readonly actor: Actor;
  readonly text: string;
  readonly textMode: TextMode | undefined;
}

/**
 * Returns a page of the readable records of all types that match a text search, with id, name and `_scope`. They are
 * sorted by type, in the order of the definitions, then by name. The total is not counted.
 */
async function searchEverywhere(context: QueryContext, search: GlobalSearch): Promise<RecordList> {
  const rows = await findEverywhere(context, search, new Set());
  const dense = rows.filter((row) => Number(row['$size']) > MOST_FOUND);
  if (dense.length === 0) return toList(rows, search);
  // Any 20,000 matches of these types were found. The first ones by name are found soon in the order of the names.
  const types = new Set(dense.map((row) => String(row['_scope'])));
  return toList(await findEverywhere(context, search, types), search);
}

function toList(rows: readonly Row[], { maxSize }: GlobalSearch): RecordList {
  return uncounted(
    rows.map(({ id, name, _scope }) => ({ id, name, _scope })),
    maxSize,
  );
}

async function findEverywhere(
  { searchPool, directory, findCommonTrigrams, findWordIndexes }: QueryContext,
  { actor, text, textMode, offset, maxSize }: GlobalSearch,
  dense: ReadonlySet<string>,
): Promise<readonly Row[]> {
  const findModel = directory.entity;
  const viewed = directory
    .entities()
    .filter((model) => isSearched(actor, model))
    .map((model) => ({ model, view: viewFor(actor, model, findModel) }));
  const viewer = viewed.find(({ view }) => view.viewer.length > 0)?.view.viewer ?? [];
  if (viewed.length === 0) return [];
  const wordIndexes = await findWordIndexes();
  const binder = createBinder(viewer);
  const limit = offset + maxSize + 1;
  const found = viewed.map(({ model, view }, order) => {
    const shared = { findModel, binder, findCommonTrigrams, wordIndexes };
    const filter = compileConditions(
      { ...noFilter, text, textMode },
      { actor, model, view, ...shared },
    );
    return firstByName({ model, view, filter }, { order, limit, isDense: dense.has(model.name) });
  });
  const statement =
    `select id, name, "_scope", "$size" from ((${found.join(') union all (')})) f` +
    ` order by "$order", "$name" nulls first, id limit ${maxSize + 1} offset ${binder.bind(offset)}::bigint`;
  return runStatement(searchPool.of(actor), { text: withViewer({ viewer }, statement) }, [
    ...binder.values,
  ]);
}

/** Returns whether a type is searched: people work with its records, and the records have names. */
function isSearched(actor: Actor, { name, attribute, definition }: EntityModel): boolean {
  const isNamed = attribute.get('name')?.stored === true;
  return definition.isObject && isNamed && accessLevel(actor, name, 'read') !== 'no';
}

interface TypePart {
  readonly order: number;
  readonly limit: number;
  readonly isDense: boolean;
}

/**
 * Selects the first matches of a type by name. Unless there are many, all are found first: few may match among millions
 * of names. Sorts by the selected columns. Any other order would reveal something about hidden names.
 */
function firstByName(rows: ListedRows, { order, limit, isDense }: TypePart): string {
  const { model, view, filter } = rows;
  const attribute = model.attribute.get('name');
  const isNameOpen = attribute !== undefined && view.isVisible(attribute);
  const [name, sorted] = isNameOpen
    ? [`t.${quotedColumn(attribute)}`, foldedText(model, attribute, 't.')]
    : ['null::text', 'null::text'];
  const columns = `t.id, ${name} as name, ${sorted} as "$name", ${quoteText(model.name)} as "_scope", ${order} as "$order"`;
  const from = `from ${liveTable(model.name)} t where`;
  const sortedBy = `order by "$name" nulls first, id limit ${limit}`;
  if (isDense) {
    return `select ${columns}, 0::bigint as "$size" ${from} ${liveRows(rows, 'scanned')} ${sortedBy}`;
  }
  const found = alternativesOf(filter).map(
    (one) =>
      `(select ${columns} ${from} ${liveRows({ ...rows, filter: one })} limit ${MOST_FOUND + 1})`,
  );
  return (
    `with found as materialized (${found.join(' union ')})` +
    ` select f.*, (select count(*) from found) as "$size" from found f ${sortedBy}`
  );
}
