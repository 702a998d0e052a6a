import { liveSchema, quotedTable, quoteName } from '../../../shared/db/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import type { RecordView } from '../../../shared/search/record-view.ts';
import type { Direction } from './list-request.ts';
import type { OrderKey, OrderPlan } from './order-plan.ts';
import { quoteText } from './quote-text.ts';
import type { ReadPlan } from './read-plan.ts';

/** Column of a page in which every row tells the number of all rows. No attribute begins with `$`. */
export const totalColumn = '$total';

/**
 * Where a page is looked for. `start`: it is the first one. `offset`: so many rows are passed by. `end`: passed by from
 * the other end, whose distance the counted total tells; for lists of all records only, see `isCounted`.
 */
export type PagePlace = 'start' | 'offset' | 'end';

export interface ListStatementParts {
  readonly model: EntityModel;
  readonly view: RecordView;
  readonly plan: ReadPlan;
  readonly order: OrderPlan;
  readonly limit: number;
  readonly place: PagePlace;
  readonly withTotal: boolean;
  /** SQL over `t`, a row of the entity's table, with its own parameters; undefined for all rows. */
  readonly filter?: string;
}

/**
 * Parameters: those of the view, then the offset unless it is the first page.
 *
 * The page is cut out before anything is joined to it. Its limit stands in the text, and the first page has no offset,
 * since Postgres takes a limit or offset that it does not know for a tenth of the table and then plans a full sort.
 */
export function listStatement(parts: ListStatementParts): string {
  const { model, view, plan, order, withTotal, filter } = parts;
  const total = withTotal
    ? `, ${totalExpression({ model, view, filter })} as ${quoteName(totalColumn)}`
    : '';
  return (
    `select ${plan.select}${total} from (${pageOf(parts)}) r ${plan.joins}` +
    ` order by ${orderClause(order, order.direction, keysOf('r'))}`
  );
}

/** SQL for the whole rows of the page, with what they are sorted by. */
function pageOf(parts: ListStatementParts): string {
  const { model, view, order, limit, place } = parts;
  const table = quotedTable(liveSchema, model.name);
  if (place === 'start') return `${sortedRows(parts, 't.*', order.direction)} limit ${limit}`;
  // What is passed by is only ids and keys, which an index may hold all of; their rows are not looked at.
  const offset = `$${view.viewer.length + 1}::bigint`;
  const ids =
    place === 'offset'
      ? `${sortedRows(parts, 't.id', order.direction)} limit ${limit} offset ${offset}`
      : endOf(parts, offset);
  const keys = order.keys.map((_key, index) => `, p.${keyColumn(index)}`).join('');
  return `select t.*${keys} from (${ids}) p join ${table} t on t.id = p.id`;
}

/**
 * The same page counted from the other end. The total is that of the very moment in which the rows are read; a page that
 * reaches over the last row is shorter by as much.
 */
function endOf(parts: ListStatementParts, offset: string): string {
  const { model, order, limit } = parts;
  const other = order.direction === 'asc' ? 'desc' : 'asc';
  const left = `${countedTotal(model)}::bigint - ${offset}`;
  return (
    `select * from (${sortedRows(parts, 't.id', other)} limit ${limit} offset greatest(${left} - ${limit}, 0)) p` +
    ` order by ${orderClause(order, other, keysOf('p'))} limit greatest(${left}, 0)`
  );
}

function sortedRows(
  { model, view, order, filter }: ListStatementParts,
  columns: string,
  direction: Direction,
): string {
  const keys = order.keys.map(({ expression }, index) => `, ${expression} as ${keyColumn(index)}`);
  return (
    `select ${columns}${keys.join('')} from ${quotedTable(liveSchema, model.name)} t ${order.joins}` +
    ` where ${liveRows({ model, view, filter })}` +
    ` order by ${orderClause(order, direction, { id: 't.id', keyOf: ({ expression }) => expression })}`
  );
}

/** The total alone, for a page without rows to carry it. */
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

/** Of rows under an alias that have been given their keys. */
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

/** Which rows of an entity's table a list is made of. */
interface ListedRows {
  readonly model: EntityModel;
  readonly view: RecordView;
  readonly filter?: string | undefined;
}

function liveRows({ model, view, filter }: ListedRows): string {
  return ['not t.deleted', view.rows(model, 't'), view.listed('t'), filter]
    .filter((condition) => condition !== undefined)
    .join(' and ');
}

/** Whether a list has all records of its type, which are counted as they are written. */
export function isCounted({ model, view, filter }: ListedRows): boolean {
  return (
    filter === undefined && view.rows(model, 't') === undefined && view.listed('t') === undefined
  );
}

/** Other lists, of one reader or of a search, are counted here. */
function totalExpression(rows: ListedRows): string {
  return isCounted(rows)
    ? `${countedTotal(rows.model)}::float8`
    : `(select count(*)::float8 from ${quotedTable(liveSchema, rows.model.name)} t where ${liveRows(rows)})`;
}

function countedTotal({ name }: EntityModel): string {
  return `(select coalesce(sum(c.live), 0) from ${quoteName(liveSchema)}.entity_counts c
        where c.entity_type = ${quoteText(name)})`;
}
