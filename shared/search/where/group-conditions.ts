import { foldedAddresses, foldedText, foldedWhole } from '../../db/sql/folded-text.ts';
import { quotedColumn } from '../../db/tables/read-model-names.ts';
import type { EntityModel } from '../../domain/entity/model/entity-model.ts';
import type { Attribute } from '../../domain/field/attribute.ts';
import { fieldTypeOf } from '../../domain/field/field-types.ts';
import type { ContactGroup } from '../../domain/field/types/contact/derive-group.ts';
import type { Binder } from './binder.ts';
import { toText, valueCondition } from './value-conditions.ts';
import type { WhereContext } from './where-context.ts';
import { requireList, type WhereItem } from './where-item.ts';

/**
 * Compiles conditions on e-mail addresses and phone numbers: any of a record's addresses may match, ignoring case.
 * Returns undefined for other attributes, and for conditions on whether there is a value.
 */
export function groupCondition(
  item: WhereItem,
  attribute: Attribute,
  { model, alias, binder }: WhereContext,
): string | undefined {
  const { name, field } = attribute;
  const key = name === field ? keyOf(model, attribute) : undefined;
  if (key === undefined || !ofAny.has(item.type) || item.value === null) return undefined;
  if (item.type === 'equals' || item.type === 'in')
    return anyEquals(textsOf(item), key, { model, attribute, alias, binder });
  // Matches every record, even without an address.
  if (item.type === 'notIn' && textsOf(item).length === 0) return 'true';
  const expression = `(entry ->> '${key === 'lower' ? 'emailAddress' : key}')`;
  const condition =
    item.type === 'notEquals' || item.type === 'notIn'
      ? `${comparable(expression, key)} <> all(${listOf(textsOf(item), key, binder)})`
      : valueCondition(item, { expression, kind: 'string', attribute: name, binder });
  if (condition === undefined) return undefined;
  const quantified = negative.has(item.type) ? 'bool_and' : 'bool_or';
  // A record without an address matches no condition, as with any missing value.
  return `coalesce((select ${quantified}(${condition}) from jsonb_array_elements(${dataColumn(attribute, alias)}) entry), false)`;
}

function textsOf({ type, value }: WhereItem): readonly string[] {
  const isList = Array.isArray(value) || type === 'in' || type === 'notIn';
  const values = isList ? requireList({ type, value }) : [value];
  return values.filter((one) => one !== null).map(toText);
}

/** Returns the key of the group's entries to compare; undefined if the attribute is not a group. */
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

interface Group {
  readonly model: EntityModel;
  readonly alias: string;
  readonly binder: Binder;
  readonly attribute: Attribute;
}

/**
 * Returns SQL for records that have one of these e-mail addresses, ignoring case, or phone numbers. Written so that two
 * indexes serve it: one on the primary address and one on rows with several addresses.
 */
export function anyEquals(
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
    `(${primary} = any(${listOf(values, key, binder)})` +
    ` or ${hasAmongSeveral(values, key, group)})`
  );
}

/**
 * Like `anyEquals`, but only for records with several addresses; their primary address need not be compared separately.
 */
export function hasAmongSeveral(
  values: readonly string[],
  key: ContactGroup['comparedBy'],
  { attribute, alias, binder }: Group,
): string {
  const data = dataColumn(attribute, alias);
  const found =
    key === 'lower'
      ? `${foldedAddresses(data)} && ${listOf(values, key, binder)}`
      : values
          .map((value) => `${data} @> ${binder.bind(JSON.stringify([{ [key]: value }]))}::jsonb`)
          .join(' or ');
  return `(jsonb_array_length(${data}) > 1 and (${found}))`;
}

/** Returns SQL for the values in the form used for comparison. */
function listOf(
  values: readonly string[],
  key: ContactGroup['comparedBy'],
  binder: Binder,
): string {
  if (key !== 'lower') return `${binder.bind(values)}::text[]`;
  const folded = values.map((value) => foldedWhole(`${binder.bind(value)}::text`));
  return `array[${folded.join(', ')}]::text[]`;
}

function comparable(expression: string, key: ContactGroup['comparedBy']): string {
  return key === 'lower' ? foldedWhole(expression) : expression;
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
