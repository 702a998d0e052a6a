import type { Field } from '../../../api/metadata.ts';
import { fieldTypeOf, type Setting } from '../../../fields/field-types.tsx';

const ofAll: readonly Setting[] = ['label', 'tooltip'];
/** Settings that can be changed for built-in fields. */
const changeableOfBuiltIn: ReadonlySet<string> = new Set([
  'required',
  'default',
  'options',
  'nextNumber',
]);

export function settingsOf(type: string, field?: Field): readonly Setting[] {
  // The source of a foreign field cannot be changed after its creation.
  const open = (fieldTypeOf({ type }).settings ?? []).filter(
    (setting) => field === undefined || (setting !== 'link' && setting !== 'field'),
  );
  if (field === undefined || field.isCustom === true) return [...ofAll, ...open];
  if (field.readOnly === true || field.notStorable === true) return ofAll;
  const changeable = open.filter((setting) => changeableOfBuiltIn.has(setting));
  return [
    ...ofAll,
    ...changeable.filter((one) => one !== 'options' || field.options !== undefined),
  ];
}

const numbers: ReadonlySet<Setting> = new Set([
  'maxLength',
  'maxCount',
  'maxFileSize',
  'maxItemLength',
  'padLength',
  'nextNumber',
  'min',
  'max',
]);
const lists: ReadonlySet<Setting> = new Set(['accept', 'options', 'typeList']);
const flags: ReadonlySet<Setting> = new Set(['required', 'allowCustomOptions']);

/** Returns the kind of input for a setting. For a default value, it depends on the field type. */
export function kindOf(setting: Setting, type: string): 'flag' | 'list' | 'number' | 'text' {
  if (setting === 'default') return fieldTypeOf({ type }).defaultKind ?? 'text';
  if (numbers.has(setting)) return 'number';
  if (lists.has(setting)) return 'list';
  return flags.has(setting) ? 'flag' : 'text';
}
