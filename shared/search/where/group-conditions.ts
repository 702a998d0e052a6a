import { quotedColumn } from '../../db/read-model-names.ts';
import type { Attribute } from '../../domain/entity/attributes.ts';
import type { Binder } from './binder.ts';
import { toText, valueCondition } from './value-conditions.ts';
import type { WhereContext } from './where-context.ts';
import { requireList, type WhereItem } from './where-item.ts';

/**
 * Conditions on an e-mail address or a phone number: any of a record's addresses may meet them, in any case. Undefined
 * for other attributes, and for conditions on whether there is one at all.
 */
export function groupCondition(
  item: WhereItem,
  { name, field }: Attribute,
  { model, alias, binder }: WhereContext,
): string | undefined {
  const type = model.fields.get(field)?.type;
  const isGroup = name === field && (type === 'email' || type === 'phone');
  if (!isGroup || !ofAny.has(item.type) || item.value === null) return undefined;
  const key = type === 'email' ? 'lower' : 'phoneNumber';
  const data = `${alias}.${quotedColumn({ name: `${field}Data` })}`;
  const value = spelled(item, key);
  if (item.type === 'equals' || item.type === 'in') {
    const primary = `${alias}.${quotedColumn({ name })}`;
    return anyEquals([value].flat(), { data, primary, key, binder });
  }
  // Every record is not among none, even one without an address.
  if (item.type === 'notIn' && value.length === 0) return 'true';
  const expression = `(entry ->> '${key}')`;
  const condition = valueCondition(
    { ...item, value },
    { expression, kind: 'string', attribute: name, binder },
  );
  if (condition === undefined) return undefined;
  const quantified = negative.has(item.type) ? 'bool_and' : 'bool_or';
  // No address at all meets no condition, as with any value that is missing.
  return `coalesce((select ${quantified}(${condition}) from jsonb_array_elements(${data}) entry), false)`;
}

/** What a condition compares with, spelled as the column has it; a list of values that are given for those that take one. */
function spelled({ type, value }: WhereItem, key: GroupColumns['key']): string | readonly string[] {
  const spell = (one: unknown) => (key === 'lower' ? toText(one).toLowerCase() : toText(one));
  if (!Array.isArray(value) && type !== 'in' && type !== 'notIn') return spell(value);
  return requireList({ type, value })
    .filter((one) => one !== null)
    .map(spell);
}

interface GroupColumns {
  readonly data: string;
  readonly primary: string;
  readonly key: 'lower' | 'phoneNumber';
  readonly binder: Binder;
}

/** Written so that two indexes answer it: of the primary address, and of the rows that have more than one. */
export function anyEquals(
  values: readonly string[],
  { data, primary, key, binder }: GroupColumns,
): string {
  if (values.length === 0) return 'false';
  const spelled = key === 'lower' ? `lower(${primary})` : primary;
  const others = values.map(
    (value) => `${data} @> ${binder.bind(JSON.stringify([{ [key]: value }]))}::jsonb`,
  );
  return (
    `(${spelled} = any(${binder.bind(values)}::text[])` +
    ` or (jsonb_array_length(${data}) > 1 and (${others.join(' or ')})))`
  );
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
