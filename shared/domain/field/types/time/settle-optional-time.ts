import type { AttributeValues } from '../../../record/attribute-values.ts';

/** Either a whole day or a time: what is given takes the place of the other, the day if both are. */
export function settleOptionalTime(field: string, given: AttributeValues): AttributeValues | null {
  const day = `${field}Date`;
  if (typeof given[day] === 'string') return { [field]: null };
  return typeof given[field] === 'string' ? { [day]: null } : null;
}
