import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { showWebhook } from '../../../shared/domain/webhook/show-webhook.ts';
import { fillNames } from './fill-names.ts';
import type { ListRequest } from './list-request.ts';
import { listStatement, totalColumn, totalStatement } from './list-statement.ts';
import { buildOrderPlan } from './order-plan.ts';
import { createPlanCache } from './plan-cache.ts';
import type { Statement } from './prepare-statement.ts';
import { buildReadPlan, type ReadPlan } from './read-plan.ts';
import type { RecordView } from './record-view.ts';
import { type Queryable, type Row, runStatement } from './run-statement.ts';

export interface SearchDeps {
  readonly pool: Queryable;
  readonly directory: Directory;
  readonly openSecret: (sealed: string) => string;
  readonly prepare: (text: string) => Statement;
}

interface RecordList {
  /** Of all pages; -1 or -2 when nobody wanted to know: more records follow, or none. */
  readonly total: number;
  readonly list: readonly Row[];
}

export type ListRecords = (query: {
  readonly actor: Actor;
  readonly model: EntityModel;
  readonly view: RecordView;
  readonly request: ListRequest;
}) => Promise<RecordList>;

/** Selectable beside the attributes of the definition; the id comes always. */
const keyNames = ['deleted', 'versionNumber'];

interface ListPlan {
  readonly plan: ReadPlan;
  readonly statement: Statement;
}

/** A page of the live records of an entity type: one statement, unless ids of many-links were asked for by name. */
export function createListRecords(deps: SearchDeps): ListRecords {
  const cached = createPlanCache<ListPlan>(deps.directory);

  return async ({ actor, model, view, request: asked }) => {
    const request = { ...asked, select: knownNames(model, asked.select) };
    const { offset, maxSize, withTotal } = request;
    // One row more than asked for tells whether there are more.
    const limit = withTotal ? maxSize : maxSize + 1;
    const { plan, statement } = cached(planKey({ model, view, request, limit }), () =>
      buildListPlan(deps, { model, view, request, limit }),
    );
    const owner = view.ownerAttribute === undefined ? [] : [actor.id];
    const values = offset === 0 ? owner : [...owner, offset];
    const rows = await runStatement(deps.pool, statement, values);
    const total = withTotal ? takeTotal(rows) : takeOneMore(rows, maxSize);
    await finishRows(deps, plan, rows);
    return { total: total ?? (await readTotal(deps, { model, view, owner })), list: rows };
  };
}

/** In the order of the definitions, so that the same choice has the same plan however a client writes it. */
function knownNames({ attribute }: EntityModel, select: ListRequest['select']) {
  if (select === undefined) return undefined;
  const asked = new Set(select);
  return [...keyNames, ...attribute.keys()].filter((name) => asked.has(name));
}

interface ListQuery {
  readonly model: EntityModel;
  readonly view: RecordView;
  readonly request: ListRequest;
  readonly limit: number;
}

function planKey({ model, view, request, limit }: ListQuery): string {
  const { orderBy, direction, select, withTotal, offset } = request;
  const page = `${limit}${withTotal}${offset === 0}`;
  return `${model.name} ${view.key} ${page} ${orderBy} ${direction} ${select?.join()}`;
}

function buildListPlan(deps: SearchDeps, { model, view, request, limit }: ListQuery): ListPlan {
  const findModel = deps.directory.entity;
  const { definition } = model;
  const order = buildOrderPlan({
    model,
    view,
    findModel,
    orderBy: request.orderBy ?? definition.orderBy,
    // An order of one's own is ascending unless said otherwise.
    direction: request.direction ?? (request.orderBy === undefined ? definition.order : 'asc'),
  });
  const plan = buildReadPlan({ model, view, findModel, list: { select: request.select } });
  const isFirstPage = request.offset === 0;
  const { withTotal } = request;
  const text = listStatement({ model, view, plan, order, limit, isFirstPage, withTotal });
  // Planned anew for each offset, see listStatement.
  return { plan, statement: isFirstPage ? deps.prepare(text) : { text } };
}

/** Undefined when there is no row to carry it. A key without value is not written as JSON. */
function takeTotal(rows: readonly Row[]): number | undefined {
  const total = rows[0]?.[totalColumn];
  for (const row of rows) row[totalColumn] = undefined;
  return typeof total === 'number' ? total : undefined;
}

function takeOneMore(rows: Row[], maxSize: number): -1 | -2 {
  if (rows.length <= maxSize) return -2;
  rows.length = maxSize;
  return -1;
}

/** Fills in, in place, what the statement could not answer. */
export async function finishRows(
  deps: SearchDeps,
  plan: ReadPlan,
  rows: readonly Row[],
): Promise<void> {
  if (plan.opened.length > 0) for (const row of rows) showWebhook(row, row, deps.openSecret);
  if (plan.names.length > 0) await fillNames(deps, rows, plan.names);
}

async function readTotal(
  { pool, prepare }: SearchDeps,
  query: { readonly model: EntityModel; readonly view: RecordView; readonly owner: string[] },
): Promise<number> {
  const statement = prepare(totalStatement(query.model, query.view));
  const rows = await runStatement(pool, statement, query.owner);
  return takeTotal(rows) ?? 0;
}
