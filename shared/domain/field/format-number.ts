import type { FieldDefinition } from './field-definition.ts';
import { fieldTypeOf } from './field-types.ts';

/** True if Annals numbers new records in this field. */
export function isCounted(definition: FieldDefinition | undefined): boolean {
  return definition !== undefined && fieldTypeOf(definition).showNumber !== undefined;
}

/** Formats the number as shown in records: `INV-00007`, or 7 if the field has no prefix or padding. */
export function formatNumber(
  definition: FieldDefinition | undefined,
  number: number,
): string | number {
  return (definition && fieldTypeOf(definition).showNumber?.(definition, number)) ?? number;
}
