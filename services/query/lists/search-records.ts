import { liveTable, quotedColumn } from '../../../shared/db/tables/read-model-names.ts';
import { mayReadAttribute } from '../../../shared/domain/access/actor.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { EntityLink } from '../../../shared/domain/entity/model/links.ts';
import {
  compileConditions,
  hasIndexedText,
  noFilter,
  searchesText,
} from '../../../shared/search/list-filter.ts';
import { type Reader, viewForSearch, withViewer } from '../../../shared/search/record-view.ts';
import { runForValues } from '../../../shared/search/run-statement.ts';
import { type Binder, createBinder } from '../../../shared/search/where/binder.ts';
import { requireLinkedRecords } from '../../../shared/search/where/require-linked-records.ts';
import type { QueryContext } from '../context.ts';
import { hasOneColumns } from '../rows/has-one-columns.ts';
import { holderColumns } from '../rows/holder-columns.ts';
import { linkedRows } from '../rows/linked-rows.ts';
import type { RecordList } from '../rows/page.ts';
import { quoteText } from '../rows/quote-text.ts';
import { buildReadPlan, shapeRow } from '../rows/read-plan.ts';
import {
  fetchPage,
  limitOf,
  type PageQuery,
  type RecordPlace,
  readTotal,
  shapePage,
  shapePlaces,
} from './fetch-page.ts';
import {
  idsStatement,
  listStatement,
  mostFoundBy,
  namedRowsStatement,
  type PagePlace,
  totalStatement,
} from './list-statement.ts';
import { isIndexedOrder, orderOf } from './order-plan.ts';
import type { ListRequest } from './read-list-request.ts';

interface Search extends Reader {
  readonly request: ListRequest;
  /** If set, only these records match. */
  readonly ids?: readonly string[];
  /** Returns further conditions, as SQL over `t`. */
  readonly conditions?: (binder: Binder) => readonly string[];
  /** If set, only records linked with this one match. */
  readonly linkedWith?: {
    readonly link: EntityLink;
    readonly model: EntityModel;
    readonly id: string;
  };
}

/** Returns a page of the records that meet a filter. */
export async function searchRecords(context: QueryContext, search: Search): Promise<RecordList> {
  return fetchPage(context, await prepareSearch(context, search));
}

/**
 * Returns the statements of a search. They are planned each time with their values, because a generic plan is wrong for
 * most values. Postgres may choose a generic plan only for a restricted reader, where a generic plan takes a third of
 * the time: it starts with the reader's records, whatever the conditions are.
 */
export async function prepareSearch(
  context: QueryContext,
  search: Search,
): Promise<PageQuery & { readPlaces(): Promise<readonly RecordPlace[]> }> {
  const { model, request } = search;
  const { list, values, pool, requested } = await compileSearch(context, search);
  const { plan, view, offset, filter } = list;
  const isRestricted = requested.text === undefined && view.rows(model, 't') !== undefined;
  const run = async (from: PagePlace, text: string) => {
    const isPrepared = from === 'found' && isRestricted;
    const whole = withViewer(view, text);
    const statement = isPrepared ? context.searchPool.prepare(whole) : { text: whole };
    return runForValues(pool, statement, values);
  };
  const pageAt = async (from: PagePlace) =>
    shapePage(plan, await run(from, listStatement({ ...list, place: from })));
  const placesAt = async (from: PagePlace) =>
    shapePlaces(await run(from, idsStatement({ ...list, place: from })));
  // Postgres rejects parameters that a statement does not use.
  const unused = offset === '' ? 'true' : `${offset}::bigint >= 0`;
  return {
    plan,
    view,
    request,
    read: async () => readAt(list, pageAt),
    readPlaces: async () => (await readAt(list, placesAt)).rows,
    async readNamed(ids) {
      const rows = { model, view, filter: { ...filter, all: `${filter.all} and ${unused}` } };
      const text = withViewer(view, namedRowsStatement(rows, plan, `$${values.length + 1}`));
      const found = await runForValues(pool, { text }, [...values, ids]);
      return found.map((row) => shapeRow(plan, row).row);
    },
    async count() {
      const text = withViewer(view, `${totalStatement({ model, view, filter })} where ${unused}`);
      return readTotal(pool, { text }, values);
    },
  };
}

interface PartOfList {
  readonly rows: readonly unknown[];
  readonly total: number | undefined;
}

/**
 * Reads a page, and reads it again if more records were found than can be sorted. In a text search by words, the first
 * records of the list usually contain enough matches for a page. If they do not, for example because all matches are at
 * the end of the alphabet, all matches are sorted. If nearly all records contain a word, the first records are searched
 * before the index is read, because reading the index takes longer the more records contain the word.
 */
async function readAt<Part extends PartOfList>(
  { model, view, order, place, limit, filter, withTotal }: Compiled,
  partAt: (from: PagePlace) => Promise<Part>,
): Promise<Part> {
  const isByWords = place === 'found' && hasIndexedText(filter);
  const isWalked = isByWords && isIndexedOrder(model, order);
  if (isWalked && !withTotal && view.rows(model, 't') === undefined) {
    const begun = await partAt('begun');
    if (begun.rows.length === limit) return begun;
  }
  const found = await partAt(place);
  if (place !== 'found' || (found.total ?? 0) <= mostFoundBy(filter)) return found;
  if (!isByWords) return partAt('offset');
  if (!isWalked) return partAt('sorted');
  const walked = await partAt('walked');
  return walked.rows.length < limit ? partAt('sorted') : walked;
}

type Compiled = Awaited<ReturnType<typeof compileSearch>>['list'];

async function compileSearch(context: QueryContext, search: Search) {
  const { actor, model, request } = search;
  const view = viewForSearch(actor, search.view);
  const reader = { actor, model, view };
  const requested = request.filter ?? noFilter;
  const findModel = context.directory.entity;
  const binder = createBinder(view.viewer);
  const place = placeOf(search);
  const offset = place === 'start' ? '' : binder.bind(request.offset);
  const { linkedWith } = search;
  const other = linkedWith && {
    ...linkedWith,
    target: model,
    bound: `${binder.bind(linkedWith.id)}::text`,
  };
  const linked = other === undefined ? [] : [linkedRows(other.link, other)];
  const { findCommonTrigrams, findWordIndexes } = context;
  const wordIndexes = searchesText(requested) ? await findWordIndexes() : undefined;
  const filtered = { ...reader, findModel, binder, findCommonTrigrams, wordIndexes };
  const conditions = compileConditions(requested, filtered);
  const pool = context.searchPool.of(actor);
  await requireLinkedRecords(pool, requested.where, { model, view, findModel });
  const all = [...linked, ...furtherConditions(search, binder), conditions.all].join(' and ');
  const filter = { ...conditions, all };
  const { withTotal, select, isWhole, maxTextLength } = request;
  const columns = new Map([
    ...hasOneColumns({ ...reader, alias: 'r' }, findModel),
    ...holderColumns(reader, findModel),
    ...(other === undefined ? [] : linkColumns(other.link, { ...other, actor, view })),
  ]);
  const order = orderOf({ ...reader, findModel, request });
  const shown = { select, orderedBy: order.attributes, isWhole, maxTextLength };
  const plan = buildReadPlan({ model, view, findModel, list: shown, columns });
  const limit = limitOf(request);
  const list = { model, view, plan, order, limit, offset, place, withTotal, filter };
  return { list, pool, requested, values: [...binder.values] };
}

function furtherConditions({ ids, conditions }: Search, binder: Binder): readonly string[] {
  const named = ids === undefined ? [] : [`t.id = any(${binder.bind(ids)}::text[])`];
  return [...named, ...(conditions?.(binder) ?? [])];
}

/**
 * A text search, or any list for a restricted reader, may match only a handful of records among millions, all of them
 * old.
 */
function placeOf({ model, view, request, conditions }: Search): PagePlace {
  const mayBeFew = request.filter?.text !== undefined || conditions !== undefined;
  if (mayBeFew || view.rows(model, 't') !== undefined) return 'found';
  return request.offset === 0 ? 'start' : 'offset';
}

/**
 * Returns the columns of a link as attributes of the listed record: SQL by attribute name. The SQL is over `r`, a row
 * of the other side, and reads the columns of its link with the record whose id is bound.
 */
function linkColumns(
  { heldBy, field, columns }: EntityLink,
  {
    actor,
    model,
    target,
    bound,
    view,
  }: Reader & { readonly target: EntityModel; readonly bound: string },
): ReadonlyMap<string, string> {
  const holder = heldBy === 'self' ? model : target;
  const held = holder.attribute.get(`${field}Columns`);
  const isClosed =
    held === undefined ||
    !mayReadAttribute(actor, holder, held) ||
    (heldBy === 'other' && !view.isVisible(held));
  const shown = Object.entries(columns ?? {}).flatMap(([name, column]) => {
    const attribute = heldBy === 'self' ? column.attribute : column.foreignAttribute;
    return attribute !== undefined && target.attribute.get(attribute)?.stored === false
      ? [{ name, attribute, isFlag: column.type === 'bool' }]
      : [];
  });
  if (isClosed || shown.length === 0) return new Map();
  const all = quotedColumn(held);
  const row =
    heldBy === 'self'
      ? `(select s.${all} -> r.id from ${liveTable(model.name)} s where s.id = ${bound})`
      : `(r.${all} -> ${bound})`;
  return new Map(
    shown.map(({ name, attribute, isFlag }) => {
      const value = `${row} ->> ${quoteText(name)}`;
      return [attribute, isFlag ? `coalesce((${value})::boolean, false)` : `(${value})`];
    }),
  );
}
