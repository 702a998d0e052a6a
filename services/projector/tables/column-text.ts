import type { Attribute, AttributeKind } from '../../../shared/domain/field/attribute.ts';
import type { AttributeValue } from '../../../shared/domain/record/attribute-values.ts';
import { emptyValue } from '../../../shared/domain/record/to-record-body.ts';

/** What a new row has in the column of an attribute, as text; null stands for NULL. */
export function cellOf(
  attribute: Attribute,
): (values: ReadonlyMap<string, AttributeValue>) => string | null {
  const { name, kind } = attribute;
  const absent = emptyText(attribute);
  return (values) => {
    const value = values.get(name);
    return value === undefined ? absent : toColumnText(value, kind);
  };
}

/** Where an event says nothing of an attribute; the default of its column. */
export function emptyText(attribute: Attribute): string | null {
  return toColumnText(emptyValue(attribute), attribute.kind);
}

/** The value as Postgres reads its column's type from text. */
function toColumnText(value: AttributeValue, kind: AttributeKind): string | null {
  if (value === null) return null;
  if (kind === 'json') return JSON.stringify(value);
  if (kind === 'strings') return toArrayLiteral(value);
  return String(value);
}

/** `{"a","b"}` */
function toArrayLiteral(value: AttributeValue): string | null {
  if (!Array.isArray(value)) return null;
  const quoted = value.map((one) => `"${String(one).replace(/[\\"]/g, '\\$&')}"`);
  return `{${quoted.join(',')}}`;
}
