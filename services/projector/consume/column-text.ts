import type { AttributeKind } from '../../../shared/domain/entity/attributes.ts';
import type { AttributeValue } from '../../../shared/domain/record/attribute-values.ts';

/** The value as Postgres reads its column's type from text. */
export function toColumnText(value: AttributeValue, kind: AttributeKind): string | null {
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
