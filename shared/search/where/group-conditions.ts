import { foldedText } from '../../db/sql/folded-text.ts';
import { quotedColumn } from '../../db/tables/read-model-names.ts';
import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import type { Attribute } from '../../domain/field/attribute.ts';
import { fieldTypeOf } from '../../domain/field/field-types.ts';
import type { ContactGroup } from '../../domain/field/types/contact/derive-group.ts';
import { toText, valueCondition } from './value-conditions.ts';
import type { WhereContext } from './where-context.ts';
import { requireList, type WhereItem } from './where-item.ts';

/**
 * Conditions on an e-mail address or a phone number: any of a record's addresses may meet them, ignoring case.
 * Undefined for other attributes, and for conditions on whether there is a value.
 */
export function groupCondition(
  item: WhereItem,
  attribute: Attribute,
  { model, alias, binder }: WhereContext,
): string | undefined {
  const { name, field } = attribute;
  const key = name === field ? keyOf(model, attribute) : undefined;
  if (key === undefined || !ofAny.has(item.type) || item.value === null) return undefined;
  const value = spelled(item, key);
  if (item.type === 'equals' || item.type === 'in')
    return anyEquals([value].flat(), key, { model, attribute, alias, binder });
  // Every record meets it, also one without an address.
  if (item.type === 'notIn' && value.length === 0) return 'true';
  const expression = `(entry ->> '${key}')`;
  const condition = valueCondition(
    { ...item, value },
    { expression, kind: 'string', attribute: name, binder },
  );
  if (condition === undefined) return undefined;
  const quantified = negative.has(item.type) ? 'bool_and' : 'bool_or';
  // A record without an address meets no condition, as with any missing value.
  return `coalesce((select ${quantified}(${condition}) from jsonb_array_elements(${dataColumn(attribute, alias)}) entry), false)`;
}

/** The key of a group's entries that is compared; undefined if the attribute has no group. */
function keyOf(
  { fields }: EntityModel,
  { field }: Attribute,
): ContactGroup['comparedBy'] | undefined {
  const definition = fields.get(field);
  return definition && fieldTypeOf(definition).group?.(field, definition)?.comparedBy;
}

function dataColumn({ field }: Attribute, alias: string): string {
  return `${alias}.${quotedColumn({ name: `${field}Data` })}`;
}

/** The value of a condition, spelled like the column; a list for conditions that take several values. */
function spelled(
  { type, value }: WhereItem,
  key: ContactGroup['comparedBy'],
): string | readonly string[] {
  const spell = (one: unknown) => (key === 'lower' ? toText(one).toLowerCase() : toText(one));
  if (!Array.isArray(value) && type !== 'in' && type !== 'notIn') return spell(value);
  return requireList({ type, value })
    .filter((one) => one !== null)
    .map(spell);
}

type Group = Pick<WhereContext, 'model' | 'alias' | 'binder'> & { readonly attribute: Attribute };

/**
 * SQL for records that have one of these e-mail addresses, in lower case, or phone numbers. It has the form that two
 * indexes serve: one on the primary address, one on rows with more than one.
 */
function anyEquals(
  values: readonly string[],
  key: ContactGroup['comparedBy'],
  group: Group,
): string {
  const { model, attribute, alias, binder } = group;
  if (values.length === 0) return 'false';
  const primary =
    key === 'lower'
      ? foldedText(model, attribute, `${alias}.`)
      : `${alias}.${quotedColumn(attribute)}`;
  return (
    `(${primary} = any(${binder.bind(values)}::text[])` +
    ` or ${hasAmongSeveral(values, key, group)})`
  );
}

/** The same for records with several of them alone: their primary one need not be compared. */
export function hasAmongSeveral(
  values: readonly string[],
  key: ContactGroup['comparedBy'],
  { attribute, alias, binder }: Group,
): string {
  const data = dataColumn(attribute, alias);
  const others = values.map(
    (value) => `${data} @> ${binder.bind(JSON.stringify([{ [key]: value }]))}::jsonb`,
  );
  return `(jsonb_array_length(${data}) > 1 and (${others.join(' or ')}))`;
}

const negative: ReadonlySet<string> = new Set(['notEquals', 'notIn', 'notContains', 'notLike']);
const ofAny: ReadonlySet<string> = new Set([
  ...negative,
  'equals',
  'in',
  'contains',
  'startsWith',
  'endsWith',
  'like',
]);
