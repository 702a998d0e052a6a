import type { FastifyInstance } from 'fastify';
import { foldedText, foldedWhole } from '../../../shared/db/sql/folded-text.ts';
import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { streamed } from '../../../shared/http/describe/error-lists.ts';
import { id, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import {
  compileConditions,
  hasIndexedText,
  type ListedRows,
  liveRows,
  noFilter,
  scannedRows,
} from '../../../shared/search/list-filter.ts';
import { readTextMode } from '../../../shared/search/read-search-params.ts';
import { viewFor, withViewer } from '../../../shared/search/record-view.ts';
import { type Row, runStatement } from '../../../shared/search/run-statement.ts';
import { createBinder } from '../../../shared/search/where/binder.ts';
import { escapeLike } from '../../../shared/search/where/value-conditions.ts';
import type { TextMode } from '../../../shared/search/where/where-context.ts';
import type { QueryContext } from '../context.ts';
import { readPage } from '../request/read-page.ts';
import { badParameter, last, readParameters } from '../request/read-parameters.ts';
import type { QueryRoute } from '../request/read-reader.ts';
import { reportIgnoredForm } from '../request/report-ignored-selection.ts';
import { type Page, type RecordList, uncounted } from '../rows/page.ts';
import { quoteText } from '../rows/quote-text.ts';
import { alternativesOf, mostFoundBy, mostWalked } from './list-statement.ts';
import { readHints } from './read-hints.ts';

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
        hint: {
          ...nullableText,
          description: 'The name of the account, the e-mail address or the status.',
        },
        hintAttribute: { ...nullableText, description: 'The attribute with the value of `hint`.' },
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
 * Returns a page of the readable records of all types that match a text search, with id, name, `_scope` and a hint. They
 * are sorted by type, in the order of the definitions, then by name; names that begin with the text come first. The
 * total is not counted.
 */
async function searchEverywhere(context: QueryContext, search: GlobalSearch): Promise<RecordList> {
  const { total, list } = uncounted(await findPage(context, search), search.maxSize);
  const types = Map.groupBy(list, (row) => String(row['_scope']));
  const hinted = [];
  for (const [type, rows] of types) {
    const ids = rows.map(({ id }) => String(id));
    const model = context.directory.entity(type);
    const hints = model && (await readHints(context, { actor: search.actor, model, ids }));
    for (const { id, name, _scope } of rows) {
      const hint = hints?.get(String(id));
      const shown = { hint: hint?.value ?? null, hintAttribute: hint?.attribute ?? null };
      hinted.push({ id, name, _scope, ...shown });
    }
  }
  return { total, list: hinted };
}

/** Finds the rows of a page. How the matches of a type are located depends on their number, see `PagePlace`. */
async function findPage(context: QueryContext, search: GlobalSearch): Promise<readonly Row[]> {
  const places = new Map<string, TypePlace>();
  const rows = await findEverywhere(context, search, places);
  const dense = rows.filter((row) => row['$isDense'] === true);
  if (dense.length === 0) return rows;
  for (const { _scope } of dense) places.set(String(_scope), 'walked');
  const walked = await findEverywhere(context, search, places);
  const full = walked.filter((row) => Number(row['$size']) >= lastOf(search));
  const scopes = new Set(full.map(({ _scope }) => _scope));
  const short = [...places.keys()].filter((type) => !scopes.has(type));
  if (short.length === 0) return walked;
  for (const type of short) places.set(type, 'sorted');
  return findEverywhere(context, search, places);
}

type TypePlace = 'found' | 'walked' | 'sorted';

/** Returns the number of matches of each type that a page needs. The last one shows whether more records follow. */
function lastOf({ offset, maxSize }: Page): number {
  return offset + maxSize + 1;
}

async function findEverywhere(
  { searchPool, directory, findCommonTrigrams, findWordIndexes }: QueryContext,
  search: GlobalSearch,
  places: ReadonlyMap<string, TypePlace>,
): Promise<readonly Row[]> {
  const { actor, text, textMode, offset, maxSize } = search;
  const findModel = directory.entity;
  const viewed = directory
    .entities()
    .filter((model) => isSearched(actor, model))
    .map((model) => ({ model, view: viewFor(actor, model, findModel) }));
  const viewer = viewed.find(({ view }) => view.viewer.length > 0)?.view.viewer ?? [];
  if (viewed.length === 0) return [];
  const wordIndexes = await findWordIndexes();
  const binder = createBinder(viewer);
  const found = viewed.map(({ model, view }, order) => {
    const shared = { findModel, binder, findCommonTrigrams, wordIndexes };
    const filter = compileConditions(
      { ...noFilter, text, textMode },
      { actor, model, view, ...shared },
    );
    const beginning = foldedWhole(`${binder.bind(`${escapeLike(text)}%`)}::text`);
    const place = places.get(model.name) ?? 'found';
    return firstByName({ model, view, filter }, { order, beginning, limit: lastOf(search), place });
  });
  const statement =
    `select id, name, "_scope", "$size", "$isDense" from ((${found.join(') union all (')})) f` +
    ` order by "$order", "$rank", "$name" nulls first, id limit ${maxSize + 1} offset ${binder.bind(offset)}::bigint`;
  return runStatement(searchPool.of(actor), { text: withViewer({ viewer }, statement) }, [
    ...binder.values,
  ]);
}

/** Returns whether a type is searched: users work with its records, and the records have names. */
function isSearched(actor: Actor, { name, attribute, definition }: EntityModel): boolean {
  const isNamed = attribute.get('name')?.stored === true;
  return definition.isObject && isNamed && accessLevel(actor, name, 'read') !== 'no';
}

interface TypePart {
  readonly order: number;
  /** SQL for the pattern of names that come first. */
  readonly beginning: string;
  readonly limit: number;
  readonly place: TypePlace;
}

/**
 * Selects the first matches of a type by name, with the number of matches that were found. Sorts by the selected
 * columns. Any other order would reveal something about hidden names.
 */
function firstByName(rows: ListedRows, { order, beginning, limit, place }: TypePart): string {
  const { model, view, filter } = rows;
  const attribute = model.attribute.get('name');
  const isNameOpen = attribute !== undefined && view.isVisible(attribute);
  const [name, sorted] = isNameOpen
    ? [`t.${quotedColumn(attribute)}`, foldedText(model, attribute, 't.')]
    : ['null::text', 'null::text'];
  const isFirst = `${sorted} like ${beginning}`;
  const columns =
    `t.id, ${name} as name, ${sorted} as "$name", case when ${isFirst} then 0 else 1 end as "$rank",` +
    ` ${quoteText(model.name)} as "_scope", ${order} as "$order"`;
  const from = `from ${liveTable(model.name)} t where`;
  const byName = 'order by "$name" nulls first, id';
  const mostFound = place === 'found' ? ` limit ${mostFoundBy(filter) + 1}` : '';
  const live = liveRows({ model, view });
  const named =
    `named as materialized (select ${columns} ${from} ${live} and ${isFirst}` +
    ` and ${scannedRows(filter)} ${byName} limit ${limit})`;
  const inOrder = `select t.*, ${sorted} as "$name" ${from} ${live} ${byName}`;
  const walked = (most: number) =>
    `select ${columns} from (${inOrder} limit ${most}) t where ${scannedRows(filter)} ${byName} limit ${limit}`;
  const matches = alternativesOf(filter)
    .map((one) => `(select ${columns} ${from} ${liveRows({ ...rows, filter: one })}${mostFound})`)
    .join(' union ');
  const size = '(select count(*) from found)';
  const page =
    `select f.*, ${size} as "$size", ${size} > ${mostFoundBy(filter)} as "$isDense"` +
    ` from found f order by "$rank", "$name" nulls first, id limit ${limit}`;
  if (place === 'walked') {
    return `with ${named}, found as materialized (select * from named union (${walked(mostWalked.walked)})) ${page}`;
  }
  if (place === 'sorted' || !hasIndexedText(filter) || view.rows(model, 't') !== undefined) {
    return `with found as materialized (${matches}) ${page}`;
  }
  // Postgres does not read the index of words if enough names begin with the text, or if nearly all records have the word,
  // because it is then among the first names.
  const isFull = (part: string) => `(select count(*) from ${part}) = ${limit}`;
  const isDone = `(${isFull('named')} or ${isFull('begun')})`;
  return (
    `with ${named},` +
    ` begun as materialized (select * from (${walked(mostWalked.begun)}) b where not (${isFull('named')})),` +
    ` found as materialized (select * from named union (select * from begun where ${isDone})` +
    ` union (select * from (${matches}) m where not ${isDone})) ${page}`
  );
}
