import type { FieldDefinition } from '../field-definition.ts';
import { fieldTypeOf } from '../field-types.ts';

/** A field as the API describes it, without internal settings. */
export function describeField(field: FieldDefinition): Readonly<Record<string, unknown>> {
  const fieldType = fieldTypeOf(field);
  const { type, notStored, options, ...others } = field;
  const settings = Object.entries(others).filter(([name]) => !ownSettings.has(name));
  return {
    type,
    ...Object.fromEntries(settings),
    ...(options && { [fieldType.optionsName ?? 'options']: options }),
    ...(notStored === true ? { notStorable: true } : {}),
    ...fieldType.describe?.(field),
  };
}

/** Settings that clients do not know, or know under a name that the type of the field gives them. */
const ownSettings: ReadonlySet<string> = new Set([
  'adminOnly',
  'attribute',
  'attributeKind',
  'counts',
  'entityType',
  'foreign',
  'foreignEntityList',
  'foreignKeepsLinked',
  'primaryOf',
  'singleReadOnly',
  'valueBy',
]);
