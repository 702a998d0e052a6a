import { quotedColumn } from '../../../shared/db/read-model-names.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import { createLinkedTables, type FindModel } from './linked-tables.ts';
import { quoteText } from './quote-text.ts';
import type { RecordView } from './record-view.ts';

export type Direction = 'asc' | 'desc';

/** How a list is sorted, over `t`, a row of the entity's table. */
export interface OrderPlan {
  readonly direction: Direction;
  readonly joins: string;
  /** The id is not among them, it comes last always. */
  readonly keys: readonly OrderKey[];
}

export interface OrderKey {
  readonly expression: string;
  /** Without a value first when ascending, last when descending, as clients know it. */
  readonly isNullable: boolean;
}

/** Annals writes these itself in every record, and the index of the default order relies on the plain form. */
const neverNull: ReadonlySet<string> = new Set(['createdAt', 'modifiedAt', 'createdById']);
const addressOrder = ['Country', 'City', 'Street'];

/** Refuses what cannot be sorted by; `orderBy` may be a field, one of its attributes, or id. */
export function buildOrderPlan(order: {
  readonly model: EntityModel;
  readonly view: RecordView;
  readonly findModel: FindModel;
  readonly orderBy: string;
  readonly direction: Direction;
}): OrderPlan {
  const { model, view, findModel, orderBy, direction } = order;
  if (orderBy === 'id') return { direction, joins: '', keys: [] };
  const linked = createLinkedTables('t', findModel);
  const attributes = sortingAttributes(model, orderBy);
  const keys = attributes.map((name) => {
    const attribute = model.attribute.get(name);
    if (attribute === undefined || !view.isVisible(attribute)) return undefined;
    const expression =
      attribute.through === undefined
        ? ownColumn(model, name)
        : attribute.kind === 'json'
          ? undefined
          : linked.column(attribute.through);
    return expression === undefined ? undefined : { expression, isNullable: !neverNull.has(name) };
  });
  const known = keys.filter((key) => key !== undefined);
  if (known.length === 0 || known.length < keys.length) {
    throw new Refusal(
      'invalid',
      'order.unknown_attribute',
      `Not existing or not sortable attribute '${orderBy}' in orderBy.`,
    );
  }
  return { direction, joins: linked.joins(), keys: known };
}

/** The attributes that a field is sorted by: a link by its name, an address by country, city and street. */
function sortingAttributes(model: EntityModel, orderBy: string): readonly string[] {
  switch (model.fields.get(orderBy)?.type) {
    case 'link':
      return [`${orderBy}Name`];
    case 'address':
      return addressOrder.map((part) => orderBy + part);
    default:
      return [orderBy];
  }
}

function ownColumn(model: EntityModel, name: string): string | undefined {
  const attribute = model.attribute.get(name);
  if (attribute === undefined || !attribute.stored) return undefined;
  const column = `t.${quotedColumn(attribute)}`;
  const definition = model.fields.get(attribute.field);
  switch (attribute.kind) {
    case 'json':
    case 'strings':
      return undefined;
    case 'bool':
      return `coalesce(${column}, false)`;
    default:
      return definition?.type === 'enum' && definition.options !== undefined
        ? `array_position(array[${definition.options.map(quoteText).join(', ')}]::text[], ${column})`
        : column;
  }
}
