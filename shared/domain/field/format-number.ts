import type { FieldDefinition } from './field-definition.ts';
import { fieldTypeOf } from './field-types.ts';

/** Whether a new record gets its number from Annals. */
export function isCounted(definition: FieldDefinition | undefined): boolean {
  return definition !== undefined && fieldTypeOf(definition).showNumber !== undefined;
}

/** What a record shows of its number: `INV-00007`, or 7 where the field has no prefix and no form. */
export function formatNumber(
  definition: FieldDefinition | undefined,
  number: number,
): string | number {
  if (definition === undefined) return number;
  return fieldTypeOf(definition).showNumber?.(definition, number) ?? number;
}
