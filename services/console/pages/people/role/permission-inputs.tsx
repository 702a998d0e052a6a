import { NativeSelect } from '@mantine/core';
import { useMetadata } from '../../../api/metadata.ts';
import { useText } from '../../../language/language.tsx';
import { useLevelText } from '../level-badge.tsx';
import { type RoleDraft, unset } from './role-draft.ts';

/** Inputs for permissions that do not belong to an entity type. */
export function PermissionInputs(props: {
  readonly draft: RoleDraft;
  readonly onChange: (draft: RoleDraft) => void;
}) {
  const t = useText();
  const levelText = useLevelText();
  const { draft, onChange } = props;
  const role = useMetadata().get('Role');
  return Object.entries(role?.fields ?? {})
    .filter(([name]) => name.endsWith('Permission'))
    .map(([name, { options = [] }]) => (
      <NativeSelect
        key={name}
        label={role?.labelOf(name)}
        value={draft.permissions[name] ?? unset}
        onChange={({ currentTarget: { value } }) =>
          onChange({ ...draft, permissions: { ...draft.permissions, [name]: value } })
        }
        data={options.map((value) => ({
          value,
          label: value === unset ? t('people.notSet') : levelText(value),
        }))}
      />
    ));
}
