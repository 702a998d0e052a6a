import type { FastifyInstance } from 'fastify';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { listed } from '../../../shared/http/describe/error-lists.ts';
import { searchParameters } from '../../../shared/http/describe/parameters.ts';
import { recordsOf } from '../../../shared/http/describe/schemas.ts';
import { ownParameter, type Reader, withViewer } from '../../../shared/search/record-view.ts';
import { runForValues } from '../../../shared/search/run-statement.ts';
import type { QueryContext } from '../context.ts';
import { type QueryRoute, readReader } from '../request/read-reader.ts';
import { sendList } from '../request/send-list.ts';
import { hasOneColumns } from '../rows/has-one-columns.ts';
import { createPlanCache } from '../rows/plan-cache.ts';
import { buildReadPlan, shapeRow } from '../rows/read-plan.ts';
import { fetchPage, limitOf, readTotal, shapePage } from './fetch-page.ts';
import {
  hasKeptTotal,
  listStatement,
  namedRowsStatement,
  type PagePlace,
  totalStatement,
} from './list-statement.ts';
import { isIndexedOrder, orderOf } from './order-plan.ts';
import { type ListRequest, readListRequest } from './read-list-request.ts';
import { searchRecords } from './search-records.ts';

type EntityRoute = QueryRoute & { readonly Params: { readonly entity: string } };

export function registerListRoutes(server: FastifyInstance, context: QueryContext): void {
  const listRecords = createListRecords(context);

  server.get<EntityRoute>('/api/v1/:entity', list, async (request, reply) => {
    const reader = await readReader(context, request, request.params.entity);
    const page = readListRequest(request.query, request.headers['x-no-total']);
    const list = await listRecords({ ...reader, request: page });
    return sendList(reply, list, { ...reader, ...page, hasLinks: true });
  });
}

const list = describeRoute({
  id: 'list{entity}',
  tag: '{entity}',
  summary: 'List records of {entity}',
  parameters: [...searchParameters, 'X-No-Total'],
  answer: recordsOf('{entity}'),
  headers: ['Link', 'X-Ignored-Attributes'],
  errors: listed,
  expand: { but: { Webhook: { errors: [...listed, 'webhook.forbidden'] } } },
});

/** Attributes that can be selected in addition to the attributes in the definition. The id is always included. */
const keyNames = ['deleted', 'versionNumber'];

/**
 * Lists the live records of an entity type with one statement, plus further statements if ids of to-many links are
 * selected. A filtered list is a search.
 */
function createListRecords(context: QueryContext) {
  const cached = createPlanCache<ReturnType<typeof buildListPlan>>(context.directory.revision);

  return async ({ request: input, ...reader }: Reader & { readonly request: ListRequest }) => {
    const { actor, model, view } = reader;
    const request = { ...input, select: knownNames(model, input.select) };
    if (isSearch(request) || view.rows(model, 't') !== undefined) {
      return searchRecords(context, { ...reader, request });
    }
    const { offset } = request;
    const query = { ...reader, request, place: await placeOf(context, reader, offset) };
    const { plan, isCheap, statement } = cached(planKey(query), () =>
      buildListPlan(context, query),
    );
    const values = offset === 0 ? [...view.viewer] : [...view.viewer, offset];
    const pool = isCheap ? context.pool : context.searchPool.of(actor);
    return fetchPage(context, {
      plan,
      view,
      request,
      read: async () => shapePage(plan, await runForValues(pool, statement, values)),
      readNamed: async (ids) => {
        const named = namedRowsStatement({ model, view }, plan, ownParameter(view));
        const statement = context.prepare(withViewer(view, named));
        // The remaining slices of a large response compete with searches, not with single reads.
        const shared = context.searchPool.of(actor);
        const found = await runForValues(shared, statement, [...view.viewer, ids]);
        return found.map((values) => shapeRow(plan, values).row);
      },
      count: async () => countAll(context, reader),
    });
  };
}

/** Filtered lists, and rare options with many values, would fill the plan cache. */
function isSearch({ filter, maxTextLength }: ListRequest): boolean {
  return filter !== undefined || maxTextLength !== undefined;
}

/**
 * Returns the known names in the order of the definitions, so that a selection has the same plan regardless of its
 * order.
 */
function knownNames({ attribute }: EntityModel, select: ListRequest['select']) {
  if (select === undefined) return undefined;
  const selected = new Set(select);
  return [...keyNames, ...attribute.keys()].filter((name) => selected.has(name));
}

/** From this offset on, it pays to check which end of the list is nearer. */
const FAR_OFFSET = 10_000;

async function placeOf(context: QueryContext, reader: Reader, offset: number): Promise<PagePlace> {
  if (offset === 0) return 'start';
  if (offset < FAR_OFFSET || !hasKeptTotal(reader)) return 'offset';
  return offset > (await countAll(context, reader)) / 2 ? 'end' : 'offset';
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
  { directory, prepare }: QueryContext,
  { request, place, ...reader }: ListQuery,
) {
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
    // The statement reads at most as many rows as the page contains.
    isCheap: isFirst && isIndexedOrder(model, order),
    // Not prepared for other offsets, see `listStatement`.
    statement: isFirst ? prepare(text) : { text },
  };
}

async function countAll({ pool, prepare }: QueryContext, reader: Reader): Promise<number> {
  const { view } = reader;
  const statement = prepare(withViewer(view, totalStatement(reader)));
  return readTotal(pool, statement, [...view.viewer]);
}
