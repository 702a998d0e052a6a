import { folded, foldedText } from '../../../shared/db/sql/folded-text.ts';
import { valueColumn } from '../../../shared/db/sql/value-column.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { Attribute } from '../../../shared/domain/field/attribute.ts';
import { fieldTypeOf } from '../../../shared/domain/field/field-types.ts';
import type { Reader } from '../../../shared/search/record-view.ts';
import { hasOneColumns } from '../rows/has-one-columns.ts';
import { createLinkedTables, type LinkedTables } from '../rows/linked-tables.ts';
import type { Direction } from '../rows/page.ts';
import { quoteText } from '../rows/quote-text.ts';
import type { ListRequest } from './read-list-request.ts';

/** How a list is sorted. The SQL is over `t`, a row of the entity's table. */
export interface OrderPlan {
  readonly direction: Direction;
  readonly joins: string;
  /** Names of attributes; empty if the list is sorted by id alone. */
  readonly attributes: readonly string[];
  /** Without the id, which is always the last key. */
  readonly keys: readonly OrderKey[];
}

export interface OrderKey {
  readonly expression: string;
  /** Nulls come first when ascending, last when descending, as clients expect. */
  readonly isNullable: boolean;
}

/** Annals sets these in every record, and the index for the default order relies on the plain column. */
const neverNull: ReadonlySet<string> = new Set(['createdAt', 'modifiedAt', 'createdById']);

/**
 * Returns the requested order, or the entity type's default. `orderBy` may be a field, one of its attributes, or `id`.
 * Throws a refusal for values that lists cannot be sorted by.
 */
export function orderOf({
  findModel,
  request,
  ...reader
}: Reader & {
  readonly findModel: FindModel;
  readonly request: Pick<ListRequest, 'orderBy' | 'direction'>;
}): OrderPlan {
  const { model, view } = reader;
  const orderBy = request.orderBy ?? usualOrder(reader);
  // An explicit order is ascending by default.
  const usual = request.orderBy === undefined ? model.definition.order : 'asc';
  const direction = request.direction ?? usual;
  if (orderBy === 'id') return { direction, joins: '', attributes: [], keys: [] };
  const linked = createLinkedTables('t', findModel, view);
  const ones = hasOneColumns({ ...reader, alias: 't' }, findModel);
  const attributes = sortingAttributes(model, orderBy);
  const keys = attributes.map((name) => buildKey(name, { ...reader, linked, ones }));
  const known = keys.filter((key) => key !== undefined);
  if (known.length === 0 || known.length < keys.length) {
    const message = `Not existing or not sortable attribute '${orderBy.slice(0, 50)}' in orderBy.`;
    throw new Refusal('invalid', 'order.unknown_attribute', message);
  }
  return { direction, joins: linked.joins(), attributes, keys: known };
}

/** Falls back to sorting by id if the actor may not see the default order's attributes. */
function usualOrder(reader: Reader): string {
  const { orderBy } = reader.model.definition;
  const isOpen = sortingAttributes(reader.model, orderBy).every((name) => isSortable(name, reader));
  return isOpen ? orderBy : 'id';
}

/**
 * Returns whether an index contains the records in this order, see services/projector/tables/index-statements.ts.
 * Otherwise Postgres has to sort them.
 */
export function isIndexedOrder({ fields }: EntityModel, { attributes }: OrderPlan): boolean {
  return attributes.every(
    (name) => name === 'createdAt' || name === 'name' || fields.get(name)?.isIndexed === true,
  );
}

/** Returns undefined if lists cannot be sorted by the attribute, or if the reader may not sort by it. */
function buildKey(
  name: string,
  {
    linked,
    ones,
    ...reader
  }: Reader & {
    readonly linked: LinkedTables;
    /** SQL by attribute, for links whose ids the other side holds. */
    readonly ones: ReadonlyMap<string, string>;
  },
): OrderKey | undefined {
  const { model } = reader;
  const attribute = model.attribute.get(name);
  if (attribute === undefined || !isSortable(name, reader)) return undefined;
  const one = ones.get(name);
  if (one !== undefined) return { expression: `(${folded(one)} collate "C")`, isNullable: true };
  const expression =
    attribute.through === undefined ? ownColumn(attribute, model) : linkedColumn(attribute, linked);
  return expression === undefined ? undefined : { expression, isNullable: !neverNull.has(name) };
}

function isSortable(name: string, { model, view }: Reader): boolean {
  const attribute = model.attribute.get(name);
  return attribute !== undefined && !attribute.isSecret && view.isVisible(attribute);
}

function linkedColumn({ kind, through }: Attribute, linked: LinkedTables): string | undefined {
  // Objects that map ids to names have no order.
  return through === undefined || kind === 'json'
    ? undefined
    : linked.column(through, sortedColumn);
}

/** Returns the attributes that a field is sorted by: the name for a link; country, city and street for an address. */
function sortingAttributes(model: EntityModel, orderBy: string): readonly string[] {
  const field = model.fields.get(orderBy);
  const suffixes = field && fieldTypeOf(field).sortedBy;
  return suffixes === undefined ? [orderBy] : suffixes.map((suffix) => orderBy + suffix);
}

function ownColumn(attribute: Attribute, model: EntityModel): string | undefined {
  const { kind, stored } = attribute;
  const definition = model.fields.get(attribute.field);
  if (!stored || kind === 'json' || kind === 'strings') return undefined;
  const column = sortedColumn(model, attribute, 't');
  if (kind === 'bool') return `coalesce(${column}, false)`;
  if (definition?.options === undefined) return column;
  if (fieldTypeOf(definition).isSortedByOptions !== true) return column;
  const known = [...definition.options, ...(definition.formerOptions ?? [])];
  const options = known.map(quoteText).join(', ');
  return `array_position(array[${options}]::text[], ${valueColumn(attribute, 't')})`;
}

/** Texts are sorted case-insensitively. */
function sortedColumn(model: EntityModel, attribute: Attribute, alias: string): string {
  return attribute.kind === 'string'
    ? foldedText(model, attribute, `${alias}.`)
    : valueColumn(attribute, alias);
}
