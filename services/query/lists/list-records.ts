import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { ownParameter, type Reader, withViewer } from '../../../shared/search/record-view.ts';
import { runForValues, type Statement } from '../../../shared/search/run-statement.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { hasOneColumns } from '../rows/has-one-columns.ts';
import { createPlanCache } from '../rows/plan-cache.ts';
import { buildReadPlan, type ReadPlan, shapeRow } from '../rows/read-plan.ts';
import { fetchPage, limitOf, readTotal, shapePage } from './fetch-page.ts';
import type { ListRequest } from './list-request.ts';
import {
  hasKeptTotal,
  listStatement,
  namedRowsStatement,
  type PagePlace,
  totalStatement,
} from './list-statement.ts';
import { isIndexedOrder, orderOf } from './order-plan.ts';
import { searchRecords } from './search-records.ts';

/** Attributes that can be selected in addition to those of the definition. The id is always included. */
const keyNames = ['deleted', 'versionNumber'];

interface ListPlan {
  readonly plan: ReadPlan;
  /** True if the statement reads at most as many rows as the page has. */
  readonly isCheap: boolean;
  readonly statement: Statement;
}

/**
 * Lists the live records of an entity type with one statement, plus further statements if ids of links to many are selected.
 * A filtered list is a search.
 */
export function createListRecords(deps: SearchDeps) {
  const cached = createPlanCache<ListPlan>(deps.directory);

  return async ({ request: input, ...reader }: Reader & { readonly request: ListRequest }) => {
    const { actor, model, view } = reader;
    const request = { ...input, select: knownNames(model, input.select) };
    if (isSearch(request) || view.rows(model, 't') !== undefined) {
      return searchRecords(deps, { ...reader, request });
    }
    const { offset } = request;
    const query = { ...reader, request, place: await placeOf(deps, reader, offset) };
    const { plan, isCheap, statement } = cached(planKey(query), () => buildListPlan(deps, query));
    const values = offset === 0 ? [...view.viewer] : [...view.viewer, offset];
    const pool = isCheap ? deps.pool : deps.searchPool.of(actor);
    return fetchPage(deps, {
      plan,
      view,
      request,
      read: async () => shapePage(plan, await runForValues(pool, statement, values)),
      readNamed: async (ids) => {
        const named = namedRowsStatement({ model, view }, plan, ownParameter(view));
        const statement = deps.prepare(withViewer(view, named));
        // The remaining slices of a large response compete with searches, not with single reads.
        const shared = deps.searchPool.of(actor);
        const found = await runForValues(shared, statement, [...view.viewer, ids]);
        return found.map((values) => shapeRow(plan, values).row);
      },
      count: async () => countAll(deps, reader),
    });
  };
}

/** Filtered lists, and rare options with many values, would fill the plan cache. */
function isSearch({ filter, maxTextLength }: ListRequest): boolean {
  return filter !== undefined || maxTextLength !== undefined;
}

/** Returns the known names in the order of the definitions, so that a selection has the same plan whatever its order. */
function knownNames({ attribute }: EntityModel, select: ListRequest['select']) {
  if (select === undefined) return undefined;
  const selected = new Set(select);
  return [...keyNames, ...attribute.keys()].filter((name) => selected.has(name));
}

/** From this offset on, it pays to check which end of the list is nearer. */
const FAR_OFFSET = 10_000;

async function placeOf(deps: SearchDeps, reader: Reader, offset: number): Promise<PagePlace> {
  if (offset === 0) return 'start';
  if (offset < FAR_OFFSET || !hasKeptTotal(reader)) return 'offset';
  return offset > (await countAll(deps, reader)) / 2 ? 'end' : 'offset';
}

interface ListQuery extends Reader {
  readonly request: ListRequest;
  readonly place: PagePlace;
}

function planKey({ model, view, request, place }: ListQuery): string {
  const { orderBy, direction, select, withTotal } = request;
  const page = `${limitOf(request)}${withTotal}${place}`;
  return `${model.name} ${view.key} ${page} ${orderBy} ${direction} ${select?.join()}`;
}

function buildListPlan(
  { directory, prepare }: SearchDeps,
  { request, place, ...reader }: ListQuery,
): ListPlan {
  const { model, view } = reader;
  const findModel = directory.entity;
  const columns = hasOneColumns({ ...reader, alias: 'r' }, findModel);
  const order = orderOf({ ...reader, findModel, request });
  const list = { select: request.select, orderedBy: order.attributes };
  const plan = buildReadPlan({ model, view, findModel, list, columns });
  const parts = { model, view, plan, order, place, offset: ownParameter(view) };
  const { withTotal } = request;
  const page = listStatement({ ...parts, limit: limitOf(request), withTotal });
  const text = withViewer(view, page);
  const isFirst = place === 'start';
  return {
    plan,
    isCheap: isFirst && isIndexedOrder(model, order),
    // Not prepared for other offsets, see `listStatement`.
    statement: isFirst ? prepare(text) : { text },
  };
}

async function countAll({ pool, prepare }: SearchDeps, reader: Reader): Promise<number> {
  const { view } = reader;
  const statement = prepare(withViewer(view, totalStatement(reader)));
  return readTotal(pool, statement, [...view.viewer]);
}
