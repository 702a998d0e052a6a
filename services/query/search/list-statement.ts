import { liveSchema, quotedTable, quoteName } from '../../../shared/db/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import type { RecordView } from '../../../shared/search/record-view.ts';
import type { OrderKey, OrderPlan } from './order-plan.ts';
import { quoteText } from './quote-text.ts';
import type { ReadPlan } from './read-plan.ts';

/** Column of a page in which every row tells the number of all rows. No attribute begins with `$`. */
export const totalColumn = '$total';

export interface ListStatementParts {
  readonly model: EntityModel;
  readonly view: RecordView;
  readonly plan: ReadPlan;
  readonly order: OrderPlan;
  readonly limit: number;
  readonly isFirstPage: boolean;
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
  const { model, view, plan, order, limit, isFirstPage, withTotal, filter } = parts;
  const keys = order.keys.map(({ expression }, index) => `, ${expression} as ${keyColumn(index)}`);
  const offset = isFirstPage ? '' : ` offset $${view.viewer.length + 1}`;
  const page =
    `select t.*${keys.join('')} from ${quotedTable(liveSchema, model.name)} t ${order.joins}` +
    ` where ${liveRows({ model, view, filter })} order by ${orderClause(order, 't', ({ expression }) => expression)}` +
    ` limit ${limit}${offset}`;
  const total = withTotal
    ? `, ${totalExpression({ model, view, filter })} as ${quoteName(totalColumn)}`
    : '';
  return (
    `select ${plan.select}${total} from (${page}) r ${plan.joins}` +
    ` order by ${orderClause(order, 'r', (_key, index) => `r.${keyColumn(index)}`)}`
  );
}

/** The total alone, for a page without rows to carry it. */
export function totalStatement(rows: ListedRows): string {
  return `select ${totalExpression(rows)} as ${quoteName(totalColumn)}`;
}

function keyColumn(index: number): string {
  return quoteName(`$order${index}`);
}

function orderClause(
  { direction, keys }: OrderPlan,
  table: string,
  expressionOf: (key: OrderKey, index: number) => string,
): string {
  const nulls = direction === 'asc' ? ' nulls first' : ' nulls last';
  const terms = keys.map(
    (key, index) => `${expressionOf(key, index)} ${direction}${key.isNullable ? nulls : ''}`,
  );
  return [...terms, `${table}.id ${direction}`].join(', ');
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

/** All records of a type are counted as they are written; others, of one reader or of a search, are counted here. */
function totalExpression(rows: ListedRows): string {
  const { model, view, filter } = rows;
  const isAll =
    filter === undefined && view.rows(model, 't') === undefined && view.listed('t') === undefined;
  return isAll
    ? `(select coalesce(sum(c.live), 0)::float8 from ${quoteName(liveSchema)}.entity_counts c
        where c.entity_type = ${quoteText(model.name)})`
    : `(select count(*)::float8 from ${quotedTable(liveSchema, model.name)} t where ${liveRows(rows)})`;
}
