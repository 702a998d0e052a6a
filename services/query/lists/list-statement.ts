import { liveSchema, liveTable, quoteName } from '../../../shared/db/tables/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import {
  type FilterConditions,
  hasIndexedText,
  type ListedRows,
  liveRows,
  scannedRows,
} from '../../../shared/search/list-filter.ts';
import type { Direction } from '../rows/page.ts';
import { quoteText } from '../rows/quote-text.ts';
import type { ReadPlan } from '../rows/read-plan.ts';
import { bytesColumn, sizedRows } from '../rows/sized-rows.ts';
import type { OrderKey, OrderPlan } from './order-plan.ts';

/** A page column that holds the total number of rows. No attribute begins with `$`. */
const totalColumn = '$total';

/**
 * How a page is located. `start`: the page is the first one. `offset`: the rows before the page are skipped. `end`: the
 * rows after the page are skipped, counted from the other end with the known total; only for lists of all records, see
 * `hasKeptTotal`. `found`: all matching records are found first, if there are few. `begun` and `walked`: only the first
 * records in the order of the list are compared, so a page may lack records. `sorted`: all matching records are found
 * first.
 */
export type PagePlace = 'start' | 'offset' | 'end' | 'found' | 'begun' | 'walked' | 'sorted';

/** Sorting this many ids takes about 20 ms. With more matches, a page of them is usually found early in any order. */
const MOST_FOUND = 20_000;
/** Words have many more matches, but a page of them is found after at most a few thousand records. */
const MOST_FOUND_BY_WORDS = 8_000;

/**
 * The maximum number of records to compare. Computing the words of 4,000 records takes about 50 ms. If many records
 * contain the text, the first 200 contain enough matches for a page.
 */
export const mostWalked = { begun: 200, walked: 4_000 } as const;

/** Returns the maximum number of matches for which all are found before they are sorted. */
export function mostFoundBy(filter: FilterConditions | undefined): number {
  return hasIndexedText(filter) ? MOST_FOUND_BY_WORDS : MOST_FOUND;
}

interface ListStatementParts extends ListedRows {
  readonly plan: ReadPlan;
  readonly order: OrderPlan;
  readonly limit: number;
  readonly place: PagePlace;
  /** The placeholder for the number of rows to skip. Unused for the first page. */
  readonly offset: string;
  readonly withTotal: boolean;
}

/**
 * Returns SQL for a page. With `found`, the result always has the total, if necessary in a row without a record. If the
 * total is above `mostFoundBy`, that row is the only one. The select list ends with the size of each row in bytes if
 * the plan has values that may be large. The page is limited before anything is joined. The limit is part of the SQL
 * text, and the first page has no offset, because Postgres estimates an unknown limit or offset as a tenth of the table
 * and then plans a full sort.
 */
export function listStatement(parts: ListStatementParts): string {
  const { plan, order, place, withTotal } = parts;
  const { bytes, joins } = plan;
  const sortedBy = (alias: string) => orderClause(order, order.direction, keysOf(alias));
  const page = pageOf(parts);
  const [select, rows] =
    bytes === undefined
      ? [plan.select, page]
      : [
          `${plan.selectFitting}, r.${bytesColumn}::float8 as ${bytesColumn}`,
          sizedRows(page, { bytes, joins, order: sortedBy('s') }),
        ];
  const isCounted = place === 'found' || place === 'sorted';
  const number = isCounted ? foundNumber : totalExpression(parts);
  const total = withTotal || isCounted ? `, ${number} as ${quoteName(totalColumn)}` : '';
  return `select ${select}${total} from (${rows}) r ${joins} order by ${sortedBy('r')}`;
}

/** Returns SQL for the same page with only the id of each row and the number of bytes that the plan would select. */
export function idsStatement(parts: ListStatementParts): string {
  const { plan, order, place } = parts;
  const sorted = orderClause(order, order.direction, keysOf('r'));
  const total = place === 'found' ? `, ${foundNumber}` : '';
  return (
    `select r.id, (${plan.bytes ?? 0})::float8${total} from (${pageOf(parts)}) r` +
    ` ${plan.joins} order by ${sorted}`
  );
}

/** Returns SQL for some rows of a list, in any order. `ids` is the placeholder for their ids. */
export function namedRowsStatement(rows: ListedRows, plan: ReadPlan, ids: string): string {
  const named = `select t.* from ${liveTable(rows.model.name)} t where t.id = any(${ids}::text[]) and ${liveRows(rows)}`;
  return `select ${plan.select} from (${named}) r ${plan.joins}`;
}

/** Returns SQL for the whole rows of the page, with the values that they are sorted by. */
function pageOf(parts: ListStatementParts): string {
  const { model, order, limit, place } = parts;
  const table = liveTable(model.name);
  if (place === 'start') return `${sortedRows(parts, 't.*', order.direction)} limit ${limit}`;
  // Skips only ids and keys. An index may cover these, so the skipped rows are not read.
  const offset = `${parts.offset}::bigint`;
  const keys = order.keys.map((_key, index) => `, p.${keyColumn(index)}`).join('');
  const rows = (ids: string) => `from (${ids}) p join ${table} t on t.id = p.id`;
  if (place === 'end') return `select t.*${keys} ${rows(endOf(parts, offset))}`;
  const passedBy = `limit ${limit} offset ${offset}`;
  if (place === 'offset') {
    const sorted = sortedRows(parts, 't.id', order.direction);
    return `select t.*${keys} ${rows(`${sorted} ${passedBy}`)}`;
  }
  if (place === 'begun' || place === 'walked') {
    const walked = walkedIds(parts, mostWalked[place]);
    return `select t.*${keys} ${rows(`${walked} ${passedBy}`)}`;
  }
  const isFew = place === 'sorted' ? '' : ` where ${foundSize} <= ${mostFoundBy(parts.filter)}`;
  const page =
    `select f.* from found f${isFew}` +
    ` order by ${orderClause(order, order.direction, keysOf('f'))} ${passedBy}`;
  return (
    `${foundIds(parts)} select p.*, s.size as ${foundColumn}` +
    ` from found_size s left join (select t.*${keys} ${rows(page)}) p on true`
  );
}

const foundColumn = quoteName('$found');
const foundNumber = `r.${foundColumn}::float8`;
const foundSize = '(select s.size from found_size s)';

/**
 * Postgres would scan the records in the order of the list until it has a page of matches, and would scan all records
 * if few match. Postgres cannot detect that, for example, all matches are old. So up to `mostFoundBy` matches are first
 * found in any order.
 */
function foundIds(parts: ListStatementParts): string {
  const { order, place } = parts;
  const limited = place === 'sorted' ? '' : `limit ${mostFoundBy(parts.filter) + 1}`;
  const found = alternativesOf(parts.filter).map(
    (filter) => `select t.id${keyColumns(order)} ${rowsOf({ ...parts, filter })} ${limited}`,
  );
  const [first] = found;
  const keys = order.keys.map(
    (_key, index) => `, any_value(u.${keyColumn(index)}) as ${keyColumn(index)}`,
  );
  const ids =
    found.length === 1
      ? first
      : `select u.id${keys.join('')} from ((${found.join(') union all (')})) u group by u.id ${limited}`;
  return (
    `with found as materialized (${ids}),` +
    ' found_size as materialized (select count(*) as size from found)'
  );
}

/** The limit keeps Postgres from comparing more records if few of the first ones match. */
function walkedIds(parts: ListStatementParts, most: number): string {
  const { order, filter } = parts;
  const all = sortedRows({ ...parts, filter: undefined }, 't.*', order.direction);
  const keys = order.keys.map((_key, index) => `, t.${keyColumn(index)}`).join('');
  return (
    `select t.id${keys} from (${all} limit ${most}) t` +
    ` where ${scannedRows(filter)} order by ${orderClause(order, order.direction, keysOf('t'))}`
  );
}

/** With separate branches, Postgres can use an index-only scan for each condition, and rechecks only that condition. */
export function alternativesOf(
  filter: FilterConditions | undefined,
): readonly (FilterConditions | undefined)[] {
  return filter?.anyOf?.map((one) => ({ ...filter, anyOf: [one] })) ?? [filter];
}

/**
 * Returns SQL for the same page, counted from the other end. The total comes from the same snapshot. A page that
 * reaches beyond the last row is shortened.
 */
function endOf(parts: ListStatementParts, offset: string): string {
  const { model, order, limit } = parts;
  const other = order.direction === 'asc' ? 'desc' : 'asc';
  const left = `${countedTotal(model)}::bigint - ${offset}`;
  const sorted = sortedRows(parts, 't.id', other);
  return (
    `select * from (${sorted} limit ${limit} offset greatest(${left} - ${limit}, 0)) p` +
    ` order by ${orderClause(order, other, keysOf('p'))} limit greatest(${left}, 0)`
  );
}

function sortedRows(parts: ListStatementParts, columns: string, direction: Direction): string {
  const { order } = parts;
  const sorted = { id: 't.id', keyOf: ({ expression }: OrderKey) => expression };
  return (
    `select ${columns}${keyColumns(order)} ${rowsOf(parts)}` +
    ` order by ${orderClause(order, direction, sorted)}`
  );
}

function rowsOf(parts: ListStatementParts): string {
  return `from ${liveTable(parts.model.name)} t ${parts.order.joins} where ${liveRows(parts)}`;
}

function keyColumns({ keys }: OrderPlan): string {
  return keys.map(({ expression }, index) => `, ${expression} as ${keyColumn(index)}`).join('');
}

/** Returns SQL for the total alone, for a page without rows. */
export function totalStatement(rows: ListedRows): string {
  return `select ${totalExpression(rows)} as ${quoteName(totalColumn)}`;
}

function keyColumn(index: number): string {
  return quoteName(`$order${index}`);
}

interface SortedBy {
  readonly id: string;
  readonly keyOf: (key: OrderKey, index: number) => string;
}

/** Sorts by the key columns of the rows under an alias. */
function keysOf(alias: string): SortedBy {
  return { id: `${alias}.id`, keyOf: (_key, index) => `${alias}.${keyColumn(index)}` };
}

function orderClause({ keys }: OrderPlan, direction: Direction, { id, keyOf }: SortedBy): string {
  const nulls = direction === 'asc' ? ' nulls first' : ' nulls last';
  const terms = keys.map(
    (key, index) => `${keyOf(key, index)} ${direction}${key.isNullable ? nulls : ''}`,
  );
  return [...terms, `${id} ${direction}`].join(', ');
}

/** Returns whether a list contains all records of its type. Writes keep the total of such lists up to date. */
export function hasKeptTotal({ model, view, filter }: ListedRows): boolean {
  return (
    filter === undefined && view.rows(model, 't') === undefined && view.listed('t') === undefined
  );
}

/** Other lists, for a restricted reader or a search, are counted by the statement. */
function totalExpression(rows: ListedRows): string {
  return hasKeptTotal(rows)
    ? `${countedTotal(rows.model)}::float8`
    : `(select count(*)::float8 from ${liveTable(rows.model.name)} t where ${liveRows(rows)})`;
}

function countedTotal({ name }: EntityModel): string {
  return `(select coalesce(sum(c.live), 0) from ${quoteName(liveSchema)}.entity_counts c
        where c.entity_type = ${quoteText(name)})`;
}
