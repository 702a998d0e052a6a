import { Checkbox, NumberInput, TagsInput, TextInput } from '@mantine/core';
import type { FieldDefinition } from '../../../api/definitions.ts';
import type { Field } from '../../../api/metadata.ts';
import { fieldTypeOf, type Setting } from '../../../fields/field-types.ts';
import { usePageText } from '../../../language/page-text.ts';

interface Props {
  readonly setting: Setting;
  readonly values: FieldDefinition;
  readonly onChange: (values: FieldDefinition) => void;
}

const texts = {
  label: 'definitions.settingLabel',
  tooltip: 'definitions.settingTooltip',
  audited: 'definitions.settingAudited',
  required: 'definitions.settingRequired',
  readOnly: 'definitions.settingReadOnly',
  readOnlyAfterCreate: 'definitions.settingReadOnlyAfterCreate',
  default: 'definitions.settingDefault',
  maxLength: 'definitions.settingMaxLength',
  maxCount: 'definitions.settingMaxCount',
  maxFileSize: 'definitions.settingMaxFileSize',
  accept: 'definitions.settingAccept',
  maxItemLength: 'definitions.settingMaxItemLength',
  padLength: 'definitions.settingPadLength',
  prefix: 'definitions.settingPrefix',
  nextNumber: 'definitions.settingNextNumber',
  min: 'definitions.settingMin',
  max: 'definitions.settingMax',
  pattern: 'definitions.settingPattern',
  options: 'definitions.settingOptions',
  allowCustomOptions: 'definitions.settingAllowCustomOptions',
  typeList: 'definitions.settingTypeList',
  link: 'definitions.settingLink',
  field: 'definitions.settingField',
} as const satisfies Readonly<Record<Setting, string>>;

/** The input for one setting of a field. */
export function SettingInput({ setting, values, onChange }: Props) {
  const t = usePageText();
  const label = t(texts[setting]);
  const value: unknown = values[setting];
  const set = (entered: unknown) => onChange({ [setting]: entered } as FieldDefinition);
  switch (kindOf(setting, values.type ?? '')) {
    case 'flag':
      return (
        <Checkbox
          label={label}
          checked={value === true}
          onChange={({ currentTarget }) => set(currentTarget.checked)}
        />
      );
    case 'number':
      return (
        <NumberInput
          label={label}
          value={typeof value === 'number' ? value : ''}
          onChange={(entered) => set(entered === '' ? null : entered)}
        />
      );
    case 'list':
      return (
        <TagsInput
          label={label}
          value={Array.isArray(value) ? value.map(String) : []}
          onChange={set}
          acceptValueOnBlur
        />
      );
    case 'text':
      return (
        <TextInput
          label={label}
          value={typeof value === 'string' ? value : ''}
          onChange={({ currentTarget }) => set(currentTarget.value)}
        />
      );
  }
}

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
function kindOf(setting: Setting, type: string): 'flag' | 'list' | 'number' | 'text' {
  if (setting === 'default') return fieldTypeOf({ type }).defaultKind ?? 'text';
  if (numbers.has(setting)) return 'number';
  if (lists.has(setting)) return 'list';
  return flags.has(setting) ? 'flag' : 'text';
}
