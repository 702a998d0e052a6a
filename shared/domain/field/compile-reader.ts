import type { Attribute } from './attribute.ts';
import type { ReadAttribute } from './attribute-rule.ts';
import type { FieldDefinition } from './field-definition.ts';
import { fieldTypeOf } from './field-types.ts';

/** Compiles the reader of client values for the attribute; null if clients cannot set it. */
export function compileReader(
  { name, field, writable }: Attribute,
  definition: FieldDefinition,
): ReadAttribute | null {
  if (!writable) return null;
  return fieldTypeOf(definition).compileReader?.({ field, attribute: name }, definition) ?? null;
}
