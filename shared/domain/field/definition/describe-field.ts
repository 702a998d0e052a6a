import type { FieldDescription, FieldType } from '../field-type.ts';
import { type FieldDefinition, fieldTypeOf } from '../field-types.ts';

/** Returns a field as the API describes it, without internal settings. */
export function describeField(field: FieldDefinition): FieldDescription {
  const fieldType = fieldTypeOf(field);
  const { type, notStored, options, ...others } = field;
  const settings = Object.entries(others).filter(([name]) => isPublic(name, fieldType));
  return {
    type,
    ...Object.fromEntries(settings),
    ...(options && { [fieldType.optionsName ?? 'options']: options }),
    ...(notStored === true ? { notStorable: true } : {}),
    ...fieldType.describe?.(field),
  };
}

/** Clients set the parts of a composed field, so its own `readOnly` is not shown. */
function isPublic(setting: string, { composedOf }: FieldType): boolean {
  return !internalSettings.has(setting) && (setting !== 'readOnly' || composedOf === undefined);
}

/** Internal settings, and settings that the field type publishes under another name. */
const internalSettings: ReadonlySet<string> = new Set([
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
