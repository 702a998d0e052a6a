import type { AttributeValues } from '../../../value/attribute-values.ts';

/** Either a whole day or a time: the one that is given replaces the other; the day wins if both are given. */
export function deriveOptionalTime(field: string, given: AttributeValues): AttributeValues | null {
  const day = `${field}Date`;
  if (typeof given[day] === 'string') return { [field]: null };
  return typeof given[field] === 'string' ? { [day]: null } : null;
}
