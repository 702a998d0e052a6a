import { valueColumn } from '../../db/sql/value-column.ts';
import { liveTable, quotedColumn } from '../../db/tables/read-model-names.ts';
import type { Attribute, AttributeKind } from '../../domain/field/attribute.ts';
import { printable } from '../../domain/printable.ts';
import { columnCondition } from './column-conditions.ts';
import { dateCondition } from './date-conditions.ts';
import { groupCondition } from './group-conditions.ts';
import { findLink, linkCondition } from './link-conditions.ts';
import { linkedOneRows } from './linked-elsewhere.ts';
import { boolFilter, primaryFilter, typeFilter } from './named-filters.ts';
import { personNameCondition } from './person-name-conditions.ts';
import { textConditions } from './text-filter.ts';
import { markCondition, teamUserCondition } from './user-conditions.ts';
import { listCondition, valueCondition } from './value-conditions.ts';
import type { WhereContext } from './where-context.ts';
import {
  badWhere,
  isLogic,
  requireList,
  toList,
  unknownAttribute,
  type WhereItem,
} from './where-item.ts';

/** Compiles conditions to SQL that is true for rows that meet all of them. */
export function compileWhere(items: readonly WhereItem[], context: WhereContext): string {
  return items.length === 0
    ? 'true'
    : `(${items.map((item) => compileItem(item, context)).join(' and ')})`;
}

function compileItem(item: WhereItem, context: WhereContext): string {
  if (isLogic(item.type)) {
    const inner = (item.value as readonly WhereItem[]).map((one) => compileItem(one, context));
    // An empty list restricts nothing, whether joined by `and` or by `or`.
    return inner.length === 0 ? 'true' : `(${inner.join(` ${item.type} `)})`;
  }
  const wrapped = wrappedFilter(item, context);
  if (wrapped !== undefined) return wrapped;
  if (item.attribute === undefined) {
    throw badWhere(`Where item '${printable(item.type)}' has no attribute.`);
  }
  const linked =
    markCondition(item, context) ??
    linkCondition(item, context) ??
    columnCondition(item, context) ??
    teamUserCondition(item, context);
  if (linked !== undefined) return linked;
  return item.attribute.includes('.')
    ? foreignCondition(item, item.attribute, context)
    : attributeCondition(item, item.attribute, context);
}

function wrappedFilter(item: WhereItem, context: WhereContext): string | undefined {
  switch (item.type) {
    case 'textFilter':
      return `(${textConditions(String(item.value ?? ''), context)
        .map(({ indexed }) => indexed)
        .join(' or ')})`;
    case 'primary':
      return compileWhere(primaryFilter(context.model, String(item.value)), context);
    case 'bool':
      return boolCondition(requireList(item).map(String), context);
    case 'isOfType':
      return typeCondition(item, context);
    default:
      return undefined;
  }
}

/** Compiles a condition on a user's type, with the values of `userType`. Returns undefined for other entity types. */
function typeCondition(item: WhereItem, context: WhereContext): string | undefined {
  const { model } = context;
  if (model.definition.typeFilters === undefined || item.attribute !== 'id') return undefined;
  const types = toList(item.value) ?? [item.value];
  const conditions = [...new Set(types)].map((type) =>
    compileWhere(typeFilter(model, type), context),
  );
  return conditions.length === 0 ? 'false' : `(${conditions.join(' or ')})`;
}

/** Compiles several named filters. A row must match at least one. */
export function boolCondition(names: readonly string[], context: WhereContext): string {
  if (names.length === 0) return 'true';
  const conditions = [...new Set(names)].map((name) =>
    compileWhere(boolFilter(context, name), context),
  );
  return `(${conditions.join(' or ')})`;
}

/** Attributes that every record has in addition to its definition. Searches never return deleted records. */
const keyKinds: ReadonlyMap<string, AttributeKind> = new Map([
  ['id', 'string'],
  ['deleted', 'bool'],
]);

function attributeCondition(item: WhereItem, name: string, context: WhereContext): string {
  const { binder, model, alias, view } = context;
  const keyKind = keyKinds.get(name);
  if (keyKind !== undefined) {
    const expression = `${alias}.${quotedColumn({ name })}`;
    return known(
      valueCondition(item, { expression, kind: keyKind, attribute: name, binder }),
      item,
    );
  }
  const attribute = model.attribute.get(name);
  if (attribute === undefined || !view.isVisible(attribute)) throw unknownAttribute(name);
  if (view.opened.includes(name)) throw unknownAttribute(name);
  return shownCondition(item, attribute, context);
}

/** Compiles a condition on an attribute that the actor may see. */
function shownCondition(item: WhereItem, attribute: Attribute, context: WhereContext): string {
  const { binder, alias } = context;
  const { name, kind } = attribute;
  const grouped = groupCondition(item, attribute, context);
  if (grouped !== undefined) return grouped;
  if (attribute.through !== undefined) return throughLink(item, attribute, context);
  const linked = linkedOneCondition(item, attribute, context);
  if (linked !== undefined) return linked;
  if (!attribute.stored) throw unknownAttribute(name);
  const named = personNameCondition(item, attribute, context);
  if (named !== undefined) return named;
  const expression = valueColumn(attribute, alias);
  const value = { expression, kind, attribute: name, binder };
  if (kind === 'date' || kind === 'datetime') {
    const dated = dateCondition(item, { ...context, column: expression, kind, attribute: name });
    if (dated !== undefined) return dated;
  }
  return known(listCondition(item, value) ?? valueCondition(item, value), item);
}

/** Compiles a condition on `accountName` or `accountType`: values from the other side of a link, as shown in the record. */
function throughLink(
  item: WhereItem,
  { through, kind, name }: Attribute,
  context: WhereContext,
): string {
  const target = context.findModel(through?.entityType ?? '');
  const shown = target?.columns.find((column) => column.name === through?.attribute);
  const id = context.model.attribute.get(through?.idAttribute ?? '');
  const isSearchable = kind !== 'json' && id?.stored === true;
  if (!isSearchable || target === undefined || shown === undefined || shown.isSecret) {
    throw unknownAttribute(name);
  }
  const there = { ...context, model: target, alias: `${context.alias}x` };
  const held = [
    `${there.alias}.id = ${context.alias}.${quotedColumn(id)}`,
    context.view.rows(target, there.alias) ?? 'true',
  ];
  return thereIs(item, {
    there,
    rows: linkedOneRows(id.field, there, context) ?? held,
    condition: shownCondition(item, shown, there),
  });
}

/**
 * Compiles a condition on `originalLeadId`, whose id only the other side stores. Returns undefined for other
 * attributes.
 */
function linkedOneCondition(
  item: WhereItem,
  { field }: Attribute,
  context: WhereContext,
): string | undefined {
  const target = context.findModel(context.model.fields.get(field)?.entityType ?? '');
  if (target === undefined) return undefined;
  const there = { ...context, model: target, alias: `${context.alias}x` };
  const rows = linkedOneRows(field, there, context);
  return rows && thereIs(item, { there, rows, condition: attributeCondition(item, 'id', there) });
}

/** Compiles a condition on `account.type`: at least one readable record on the other side of the link must match. */
function foreignCondition(item: WhereItem, path: string, context: WhereContext): string {
  const [link = '', name = '', ...more] = path.split('.');
  const field = context.model.fields.get(link);
  const target = context.findModel(field?.entityType ?? '');
  const ids = findLink(link, context);
  if (more.length > 0 || ids === undefined || target === undefined) throw unknownAttribute(path);
  const view = context.viewOf(target);
  const there = { ...context, model: target, alias: `${context.alias}x`, view };
  const held = [
    `${there.alias}.id = ${ids.isMany ? `any(${ids.column})` : ids.column}`,
    `not ${there.alias}.deleted`,
    view.rows(target, there.alias) ?? 'true',
  ];
  return thereIs(item, {
    there,
    rows: linkedOneRows(link, there, context) ?? held,
    condition: attributeCondition({ ...item, attribute: name }, name, there),
  });
}

/** Returns SQL that is true if one of these rows meets the condition. If no row exists, the value counts as null. */
function thereIs(
  { type, value }: WhereItem,
  {
    there: { model, alias },
    rows,
    condition,
  }: {
    readonly there: WhereContext;
    readonly rows: readonly string[];
    readonly condition: string;
  },
): string {
  const from = `select 1 from ${liveTable(model.name)} ${alias} where ${rows.join(' and ')}`;
  const isAbsence = type === 'isNull' || (type === 'equals' && value === null);
  const met = `exists (${from} and ${condition})`;
  return isAbsence ? `(${met} or not exists (${from}))` : met;
}

function known(condition: string | undefined, { type }: WhereItem): string {
  if (condition !== undefined) return condition;
  throw badWhere(`Unknown where item type '${printable(type)}'.`);
}
