import type { FieldDefinition } from '../../../api/definitions.ts';
import type { Field } from '../../../api/metadata.ts';

export type Setting = Exclude<keyof FieldDefinition, 'isCustom' | 'name' | 'type'>;
type FieldType = NonNullable<FieldDefinition['type']>;

const text: readonly Setting[] = ['required', 'default', 'maxLength', 'pattern'];
const number: readonly Setting[] = ['required', 'default', 'min', 'max'];
const list: readonly Setting[] = [
  'required',
  'options',
  'allowCustomOptions',
  'default',
  'maxCount',
  'maxItemLength',
];
const plain: readonly Setting[] = ['required'];

/** The types that one can make fields of, and what can be said of each beyond how it is called. */
const settingsByType: Partial<Readonly<Record<FieldType, readonly Setting[]>>> = {
  varchar: text,
  text: ['required', 'default', 'maxLength'],
  wysiwyg: ['required', 'default', 'maxLength'],
  barcode: text,
  colorpicker: ['required', 'default'],
  enum: ['required', 'options', 'default'],
  url: ['required', 'maxLength'],
  bool: ['default'],
  int: number,
  enumInt: ['required', 'options', 'default', 'min', 'max'],
  float: number,
  enumFloat: ['required', 'options', 'default', 'min', 'max'],
  decimal: number,
  date: plain,
  datetime: plain,
  datetimeOptional: plain,
  multiEnum: list,
  checklist: list,
  array: list,
  urlMultiple: ['required', 'maxCount'],
  number: ['prefix', 'padLength', 'nextNumber'],
  autoincrement: ['nextNumber'],
  jsonObject: plain,
  jsonArray: plain,
  email: plain,
  phone: ['required', 'typeList'],
  address: plain,
  currency: ['required', 'min', 'max'],
  file: ['required', 'maxFileSize', 'accept'],
  image: ['required', 'maxFileSize'],
  attachmentMultiple: ['required', 'maxCount', 'maxFileSize', 'accept'],
  foreign: ['link', 'field'],
};

export const creatableTypes = Object.keys(settingsByType).toSorted() as readonly FieldType[];

const ofAll: readonly Setting[] = ['label', 'tooltip'];
/** What can be said of a field that Annals ships. */
const ofShipped: ReadonlySet<string> = new Set(['required', 'default', 'options', 'nextNumber']);

export function settingsOf(type: string, field?: Field): readonly Setting[] {
  const known = Object.hasOwn(settingsByType, type) ? settingsByType[type as FieldType] : undefined;
  // What a field shows is said when it is made.
  const open = (known ?? []).filter(
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
const numberTypes: ReadonlySet<string> = new Set(['int', 'enumInt', 'float', 'enumFloat']);
const listTypes: ReadonlySet<string> = new Set(['multiEnum', 'checklist', 'array']);

/** How a setting is entered; that of a default follows from the type of its field. */
export function kindOf(setting: Setting, type: string): 'flag' | 'list' | 'number' | 'text' {
  if (setting === 'default') {
    if (type === 'bool') return 'flag';
    if (listTypes.has(type)) return 'list';
    return numberTypes.has(type) ? 'number' : 'text';
  }
  if (numbers.has(setting)) return 'number';
  if (lists.has(setting)) return 'list';
  return flags.has(setting) ? 'flag' : 'text';
}
