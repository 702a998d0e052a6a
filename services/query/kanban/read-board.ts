import { orderAttribute, placedIds } from '../../../shared/domain/board/board-order.ts';
import { noFilter } from '../../../shared/search/list-filter.ts';
import type { Reader } from '../../../shared/search/record-view.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import type { WhereItem } from '../../../shared/search/where/where-item.ts';
import type { QueryContext } from '../context.ts';
import type { ListRequest } from '../lists/read-list-request.ts';
import { prepareSearch, searchRecords } from '../lists/search-records.ts';
import type { PageOf } from '../rows/page.ts';
import type { BoardQuery } from './board-query.ts';
import { countGroups } from './count-groups.ts';

/** The rows of a board stay in memory until they are sent. */
const MAX_BOARD_LENGTH = 4 * 1024 * 1024;

/** Reads the groups of a board one after another, so that the board occupies only one search connection at a time. */
export async function readBoard(context: QueryContext, query: BoardQuery) {
  const { board, request, sum } = query;
  const isCounted = request.withTotal || sum !== undefined;
  const counted = isCounted ? await countGroups(context, query) : undefined;
  const groups: BoardGroup[] = [];
  let left = MAX_BOARD_LENGTH;
  for (const name of board.groups) {
    const facts = counted?.get(name) ?? { total: 0, sum: 0 };
    const found =
      isCounted && facts.total === 0 ? nothing : await readFitting(context, query, { name, left });
    const { list, length, total } = fitRows(found, left);
    left -= length;
    groups.push({
      name,
      total: request.withTotal ? facts.total : total,
      ...(sum === undefined ? {} : { sum: facts.sum }),
      list,
      label: null,
      style: null,
    });
  }
  const list = groups.flatMap((group) => group.list);
  return { total: totalOf(groups, request.withTotal), groups, list };
}

interface BoardGroup {
  readonly name: string;
  readonly total: number;
  readonly sum?: number | null;
  readonly list: readonly Row[];
  /** Only EspoCRM's pipelines have a label and a style. */
  readonly label: null;
  readonly style: null;
}

const nothing = { total: -2, list: [] };
/** Returned for a group that no longer fits in the response. */
const unread = { total: -1, list: [] };

/** Returns the first rows whose JSON fits, and the next one. The total is -1 if rows are left. */
function fitRows({ list: rows, total }: PageOf<Row>, left: number) {
  const list: Row[] = [];
  let length = 0;
  for (const row of rows) {
    if (length >= left) break;
    list.push(row);
    length += JSON.stringify(row).length;
  }
  return { list, length, total: list.length < rows.length ? -1 : total };
}

function totalOf(groups: readonly { readonly total: number }[], isCounted: boolean): number {
  if (isCounted) return groups.reduce((all, { total }) => all + total, 0);
  return groups.some(({ total }) => total === -1) ? -1 : -2;
}

async function readFitting(
  context: QueryContext,
  query: BoardQuery,
  { name, left }: { readonly name: string; readonly left: number },
): Promise<PageOf<Row>> {
  return left <= 0 ? unread : readGroup(context, query, name);
}

/** Returns a page of a group, without a counted total: first the cards that the user placed, then the others. */
async function readGroup(context: QueryContext, query: BoardQuery, group: string) {
  const { actor, model, view, board, request, order } = query;
  const { offset, maxSize } = request;
  const reader = { actor, model, view };
  const known = placedIds(order, orderAttribute(model.name, group));
  const inGroup = where('equals', board.status.name, group);
  const placed =
    known.length === 0
      ? []
      : await placedInGroup(context, { ...reader, request: within(request, [inGroup]) }, known);
  const first = placed.slice(offset, offset + maxSize);
  const shown =
    first.length === 0
      ? []
      : await readInOrder(context, { ...reader, request: within(request, [inGroup]) }, first);
  // The page ends early if its values are too large, see `fetchPage`.
  const isFull = shown.length < first.length;
  const others = await searchRecords(context, {
    ...reader,
    request: {
      ...within(request, [inGroup, ...(placed.length > 0 ? [where('notIn', 'id', placed)] : [])]),
      offset: Math.max(0, offset - placed.length),
      maxSize: isFull ? 0 : maxSize - shown.length,
      withTotal: false,
    },
  });
  const total = isFull || others.rest !== undefined ? -1 : others.total;
  return { total, list: isFull ? shown : [...shown, ...others.list] };
}

type GroupSearch = Reader & { readonly request: ListRequest };

/** Returns which of these records are in the group, in the given order. */
async function placedInGroup(
  context: QueryContext,
  { request, ...reader }: GroupSearch,
  ids: readonly string[],
): Promise<readonly string[]> {
  const all = { ...request, offset: 0, maxSize: ids.length, withTotal: false };
  const search = await prepareSearch(context, { ...reader, ids, request: all });
  const found = new Set((await search.readPlaces()).map(({ id }) => id));
  return ids.filter((id) => found.has(id));
}

async function readInOrder(
  context: QueryContext,
  { request, ...reader }: GroupSearch,
  ids: readonly string[],
): Promise<readonly Row[]> {
  const all = { ...request, offset: 0, maxSize: ids.length, withTotal: false };
  const { list } = await searchRecords(context, { ...reader, ids, request: all });
  const byId = new Map(list.map((row) => [String(row['id']), row]));
  const missing = ids.findIndex((id) => !byId.has(id));
  const complete: readonly string[] = missing < 0 ? ids : ids.slice(0, missing);
  return complete.flatMap((id): readonly Row[] => [byId.get(id) ?? []].flat());
}

function where(type: string, attribute: string, value: unknown): WhereItem {
  return { type, attribute, value, clock: undefined };
}

function within(request: ListRequest, items: readonly WhereItem[]): ListRequest {
  const filter = request.filter ?? noFilter;
  return { ...request, filter: { ...filter, where: [...filter.where, ...items] } };
}
