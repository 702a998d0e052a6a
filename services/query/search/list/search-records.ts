import type { EntityModel } from '../../../../shared/domain/entity/model/entity-model.ts';
import type { EntityLink } from '../../../../shared/domain/entity/model/links.ts';
import { compileConditions, noFilter } from '../../../../shared/search/list-filter.ts';
import { type Reader, viewForSearch, withViewer } from '../../../../shared/search/record-view.ts';
import { runForValues } from '../../../../shared/search/run-statement.ts';
import { type Binder, createBinder } from '../../../../shared/search/where/binder.ts';
import { requireLinkedRecords } from '../../../../shared/search/where/require-linked-records.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import { linkedOnes } from '../rows/linked-ones.ts';
import { linkedRows } from '../rows/linked-rows.ts';
import { buildReadPlan } from '../rows/read-plan.ts';
import { fetchPage, limitOf, readTotal, shapePage } from './fetch-page.ts';
import { linkColumns } from './link-columns.ts';
import type { ListRequest, RecordList } from './list-request.ts';
import { listStatement, MOST_FOUND, type PagePlace, totalStatement } from './list-statement.ts';
import { orderOf } from './order-plan.ts';

interface Search extends Reader {
  readonly request: ListRequest;
  /** Only these records. */
  readonly ids?: readonly string[];
  /** Further conditions, in SQL over `t`, that records have to meet. */
  readonly conditions?: (binder: Binder) => readonly string[];
  /** Only records linked with this one. */
  readonly linkedWith?: {
    readonly link: EntityLink;
    readonly model: EntityModel;
    readonly id: string;
  };
}

/**
 * A page of the records that meet a filter. The statement is planned each time, so that the planner knows the values: a
 * generic plan is wrong for most of them. Only for a restricted reader Postgres may choose a generic plan, which takes a
 * third of the time: it begins with the reader's records then, whatever the conditions are.
 */
export async function searchRecords(deps: SearchDeps, search: Search): Promise<RecordList> {
  const { actor, model, request } = search;
  const view = viewForSearch(actor, search.view);
  const reader = { actor, model, view };
  const asked = request.filter ?? noFilter;
  const findModel = deps.directory.entity;
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
  const { findCommonTrigrams } = deps;
  const filtered = { ...reader, findModel, binder, findCommonTrigrams };
  const conditions = compileConditions(asked, filtered);
  const pool = deps.searchPool.of(actor);
  await requireLinkedRecords(pool, asked.where, { model, view, findModel });
  const all = [...linked, ...furtherConditions(search, binder), conditions.all].join(' and ');
  const filter = { ...conditions, all };
  const { withTotal, select, isWhole, maxTextLength } = request;
  const columns = new Map([
    ...linkedOnes({ ...reader, alias: 'r' }, findModel),
    ...(other === undefined ? [] : linkColumns(other.link, { ...other, actor, view })),
  ]);
  const order = orderOf({ ...reader, findModel, request });
  const shown = { select, orderedBy: order.attributes, isWhole, maxTextLength };
  const plan = buildReadPlan({ model, view, findModel, list: shown, columns });
  const limit = limitOf(request);
  const list = { model, view, plan, order, limit, offset, withTotal, filter };
  const values = [...binder.values];
  const isRestricted = asked.text === undefined && view.rows(model, 't') !== undefined;
  const pageAt = async (from: PagePlace) => {
    const text = withViewer(view, listStatement({ ...list, place: from }));
    const statement = from === 'found' && isRestricted ? deps.searchPool.prepare(text) : { text };
    return shapePage(plan, await runForValues(pool, statement, values));
  };
  return fetchPage(deps, {
    plan,
    view,
    request,
    async read() {
      const found = await pageAt(place);
      const isMany = place === 'found' && (found.total ?? 0) > MOST_FOUND;
      return isMany ? pageAt('offset') : found;
    },
    async count() {
      // Postgres refuses values that a statement does not use.
      const unused = offset === '' ? '' : ` where ${offset}::bigint >= 0`;
      const text = withViewer(view, totalStatement({ model, view, filter }) + unused);
      return readTotal(pool, { text }, values);
    },
  });
}

function furtherConditions({ ids, conditions }: Search, binder: Binder): readonly string[] {
  const named = ids === undefined ? [] : [`t.id = any(${binder.bind(ids)}::text[])`];
  return [...named, ...(conditions?.(binder) ?? [])];
}

/** A text search, or a restricted reader, may match a handful among millions, all of them old. */
function placeOf({ model, view, request, conditions }: Search): PagePlace {
  const mayBeFew = request.filter?.text !== undefined || conditions !== undefined;
  if (mayBeFew || view.rows(model, 't') !== undefined) return 'found';
  return request.offset === 0 ? 'start' : 'offset';
}
