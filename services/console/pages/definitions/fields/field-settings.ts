import type { Field } from '../../../api/metadata.ts';
import { fieldTypeOf, type Setting } from '../../../fields/field-types.tsx';

const ofAll: readonly Setting[] = ['label', 'tooltip'];
/** What can be said of a field that Annals ships. */
const ofShipped: ReadonlySet<string> = new Set(['required', 'default', 'options', 'nextNumber']);

export function settingsOf(type: string, field?: Field): readonly Setting[] {
  // What a field shows is said when it is made.
  const open = (fieldTypeOf({ type }).settings ?? []).filter(
    (setting) => field === undefined || (setting !== 'link' && setting !== 'field'),
  );
  if (field === undefined || field.isCustom === true) return [...ofAll, ...open];
  if (field.readOnly === true || field.notStorable === true) return ofAll;
  const shipped = open.filter((setting) => ofShipped.has(setting));
  return [...ofAll, ...shipped.filter((one) => one !== 'options' || field.options !== undefined)];
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

/** How a setting is entered; that of a default follows from the type of its field. */
export function kindOf(setting: Setting, type: string): 'flag' | 'list' | 'number' | 'text' {
  if (setting === 'default') return fieldTypeOf({ type }).defaultKind ?? 'text';
  if (numbers.has(setting)) return 'number';
  if (lists.has(setting)) return 'list';
  return flags.has(setting) ? 'flag' : 'text';
}
