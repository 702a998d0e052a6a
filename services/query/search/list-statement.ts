import { liveSchema, quotedTable, quoteName } from '../../../shared/db/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import type { OrderKey, OrderPlan } from './order-plan.ts';
import { quoteText } from './quote-text.ts';
import type { ReadPlan } from './read-plan.ts';
import type { RecordView } from './record-view.ts';

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
}

/**
 * Parameters: those of the view, then the offset unless it is the first page.
 *
 * The page is cut out before anything is joined to it. Its limit stands in the text, and the first page has no offset,
 * since Postgres takes a limit or offset that it does not know for a tenth of the table and then plans a full sort.
 */
export function listStatement(parts: ListStatementParts): string {
  const { model, view, plan, order, limit, isFirstPage, withTotal } = parts;
  const keys = order.keys.map(({ expression }, index) => `, ${expression} as ${keyColumn(index)}`);
  const offset = isFirstPage ? '' : ` offset $${view.viewer.length + 1}`;
  const page =
    `select t.*${keys.join('')} from ${quotedTable(liveSchema, model.name)} t ${order.joins}` +
    ` where ${liveRows('t', model, view)} order by ${orderClause(order, 't', ({ expression }) => expression)}` +
    ` limit ${limit}${offset}`;
  const total = withTotal ? `, ${totalExpression(model, view)} as ${quoteName(totalColumn)}` : '';
  return (
    `select ${plan.select}${total} from (${page}) r ${plan.joins}` +
    ` order by ${orderClause(order, 'r', (_key, index) => `r.${keyColumn(index)}`)}`
  );
}

/** The total alone, for a page without rows to carry it. */
export function totalStatement(model: EntityModel, view: RecordView): string {
  return `select ${totalExpression(model, view)} as ${quoteName(totalColumn)}`;
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

function liveRows(table: string, model: EntityModel, view: RecordView): string {
  return [`not ${table}.deleted`, view.rows(model, table), view.listed(table)]
    .filter((condition) => condition !== undefined)
    .join(' and ');
}

/** All records of a type are counted as they are written; those of one reader are counted here. */
function totalExpression(model: EntityModel, view: RecordView): string {
  return view.rows(model, 'c') === undefined && view.listed('c') === undefined
    ? `(select coalesce(sum(c.live), 0)::float8 from ${quoteName(liveSchema)}.entity_counts c
        where c.entity_type = ${quoteText(model.name)})`
    : `(select count(*)::float8 from ${quotedTable(liveSchema, model.name)} c where ${liveRows('c', model, view)})`;
}
