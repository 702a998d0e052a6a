import type { FieldDefinition } from './field-definition.ts';
import { fieldTypeOf } from './field-types.ts';

/** Whether Annals numbers new records in this field. */
export function isCounted(definition: FieldDefinition | undefined): boolean {
  return definition !== undefined && fieldTypeOf(definition).showNumber !== undefined;
}

/** The number as a record shows it: `INV-00007`, or 7 if the field has no prefix and no padding. */
export function formatNumber(
  definition: FieldDefinition | undefined,
  number: number,
): string | number {
  return (definition && fieldTypeOf(definition).showNumber?.(definition, number)) ?? number;
}
