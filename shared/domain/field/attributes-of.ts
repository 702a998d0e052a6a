import { type Attribute, capitalized } from './attribute.ts';
import type { AttributePart } from './field-type.ts';
import { type FieldDefinition, fieldTypeOf } from './field-types.ts';

/** Returns the attributes of a field, named as on the wire: `x`, `xId`, `xName`, `xStreet` … */
export function attributesOf(field: string, definition: FieldDefinition): readonly Attribute[] {
  const { readOnly, notStored, singleReadOnly } = definition;
  const type = fieldTypeOf(definition);
  // Every object gets every property, so that V8 uses a single hidden class: every read and write accesses these
  // objects.
  return type.parts(field, definition).map((part) => ({
    name: nameOf(field, part),
    field,
    kind: part.kind,
    stored: part.stored ?? notStored !== true,
    writable: part.writable ?? (readOnly !== true && notStored !== true),
    singleReadOnly: part.singleReadOnly ?? singleReadOnly === true,
    isSecret: type.isSecret === true,
    isMap: part.isMap === true,
    link: part.link,
    through: part.through,
    parent: part.parent,
    worth: part.worth,
    schema: part.schema,
    example: part.example,
  }));
}

function nameOf(field: string, { prefix, suffix = '' }: AttributePart): string {
  return (prefix === undefined ? field : prefix + capitalized(field)) + suffix;
}
