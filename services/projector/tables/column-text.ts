import type { Attribute, AttributeKind } from '../../../shared/domain/field/attribute.ts';
import { emptyValue } from '../../../shared/domain/record/to-record-body.ts';
import type { AttributeValue } from '../../../shared/domain/value/attribute-values.ts';

/** Returns a function that reads the attribute's value for a new row, as text; null for NULL. */
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

/** Returns the column's default, for attributes that are missing from an event. */
export function emptyText(attribute: Attribute): string | null {
  return toColumnText(emptyValue(attribute), attribute.kind);
}

/** Formats a value as text for its column's type. */
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
