import type { FieldDefinition } from '../field-definition.ts';
import type { FieldDescription, FieldType } from '../field-type.ts';
import { fieldTypeOf } from '../field-types.ts';

/** A field as the API describes it, without internal settings. */
export function describeField(field: FieldDefinition): FieldDescription {
  const fieldType = fieldTypeOf(field);
  const { type, notStored, options, ...others } = field;
  const settings = Object.entries(others).filter(([name]) => isTold(name, fieldType));
  return {
    type,
    ...Object.fromEntries(settings),
    ...(options && { [fieldType.optionsName ?? 'options']: options }),
    ...(notStored === true ? { notStorable: true } : {}),
    ...fieldType.describe?.(field),
  };
}

/** Of a composed field clients set the parts. */
function isTold(setting: string, { composedOf }: FieldType): boolean {
  return !ownSettings.has(setting) && (setting !== 'readOnly' || composedOf === undefined);
}

/** Settings that clients do not know, or know under a name that the type of the field gives them. */
const ownSettings: ReadonlySet<string> = new Set([
  'adminOnly',
  'attribute',
  'attributeKind',
  'columnOf',
  'counts',
  'entityType',
  'follows',
  'foreign',
  'foreignEntityList',
  'foreignKeepsLinked',
  'foreignOf',
  'formerOptions',
  'offered',
  'primaryOf',
  'singleReadOnly',
  'valueBy',
]);
