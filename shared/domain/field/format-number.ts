import type { FieldDefinition } from '../entity/entity-definition.ts';

/** What a record shows of its number: `INV-00007`, or 7 where the field has no prefix and no form. */
export function formatNumber(
  definition: FieldDefinition | undefined,
  number: number,
): string | number {
  if (definition?.type !== 'number') return number;
  const { prefix = '', padLength = 5 } = definition;
  return prefix + String(number).padStart(padLength, '0');
}
