import { Checkbox, NumberInput, TagsInput, TextInput } from '@mantine/core';
import type { FieldDefinition } from '../../../api/definitions.ts';
import type { Setting } from '../../../fields/field-types.tsx';
import { useText } from '../../../language/language.tsx';
import { kindOf } from './field-settings.ts';

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
  const t = useText();
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
