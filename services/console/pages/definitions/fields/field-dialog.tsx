import { NativeSelect, Skeleton, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  createField,
  type FieldDefinition,
  fieldQuery,
  resetField,
  updateField,
} from '../../../api/definitions.ts';
import { type Entity, useMetadata } from '../../../api/metadata.ts';
import { creatableTypes } from '../../../fields/field-types.ts';
import { usePageText } from '../../../language/page-text.ts';
import { messages, type PageKey } from '../../../messages/en-pages.ts';
import { ConfirmByName } from '../../../parts/confirm-by-name.tsx';
import { LoadError } from '../../../parts/page/load-error.tsx';
import { deriveName } from '../derive-name.ts';
import { DefinitionForm, FormDialog, useDefinitionChange, useReload } from '../form-dialog.tsx';
import { SettingInput, settingsOf } from './setting-input.tsx';

interface Props {
  readonly entity: Entity;
  readonly onClose: () => void;
}

export function CreateFieldDialog(props: Props & { readonly isOpen: boolean }) {
  const t = usePageText();
  return (
    <FormDialog {...props} title={t('definitions.newField')}>
      <NewField {...props} />
    </FormDialog>
  );
}

function NewField({ entity, onClose }: Props) {
  const t = usePageText();
  const typeText = useFieldTypeText();
  const types = creatableTypes
    .map((value) => ({ value, label: typeText(value) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const [values, setValues] = useState<FieldDefinition>({ type: 'varchar' });
  const name = values.name ?? deriveName(values.label ?? '');
  const change = (more: FieldDefinition) => setValues((before) => ({ ...before, ...more }));
  const creating = useDefinitionChange(
    () => createField(entity.name, { ...values, name }),
    onClose,
  );
  return (
    <DefinitionForm saving={creating} onCancel={onClose}>
      <TextInput
        label={t('definitions.settingLabel')}
        data-autofocus
        value={values.label ?? ''}
        onChange={({ currentTarget }) => change({ label: currentTarget.value })}
      />
      <TextInput
        label={t('definitions.name')}
        description={t('definitions.fieldNameText')}
        required
        value={name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <NativeSelect
        label={t('definitions.type')}
        value={values.type}
        // The settings of the previous type do not apply to this one.
        onChange={({ currentTarget: { value } }) =>
          setValues((before) => ({
            ...(before.name === undefined ? {} : { name: before.name }),
            ...(before.label === undefined ? {} : { label: before.label }),
            type: creatableTypes.find((type) => type === value) ?? 'varchar',
          }))
        }
        data={types}
      />
      <Settings entity={entity} values={values} onChange={change} />
    </DefinitionForm>
  );
}

function Settings(props: {
  readonly entity: Entity;
  readonly values: FieldDefinition;
  readonly onChange: (values: FieldDefinition) => void;
}) {
  const { entity, values, onChange } = props;
  const settings = settingsOf(values.type ?? '').filter((setting) => setting !== 'label');
  return settings.map((setting) =>
    setting === 'link' || setting === 'field' ? (
      <ForeignSelect
        key={setting}
        setting={setting}
        entity={entity}
        values={values}
        onChange={onChange}
      />
    ) : (
      <SettingInput key={setting} setting={setting} values={values} onChange={onChange} />
    ),
  );
}

/** Selects a to-one link, or the field of the linked record to show. */
function ForeignSelect(props: {
  readonly setting: 'field' | 'link';
  readonly entity: Entity;
  readonly values: FieldDefinition;
  readonly onChange: (values: FieldDefinition) => void;
}) {
  const t = usePageText();
  const metadata = useMetadata();
  const { setting, entity, values, onChange } = props;
  const target = metadata.get(entity.links[values.link ?? '']?.entity ?? '');
  const isLink = setting === 'link';
  const names = isLink
    ? Object.keys(entity.links).filter((link) => entity.links[link]?.type === 'belongsTo')
    : Object.keys(target?.fields ?? {});
  const holder = isLink ? entity : target;
  return (
    <NativeSelect
      label={t(isLink ? 'definitions.settingLink' : 'definitions.settingField')}
      value={values[setting] ?? ''}
      onChange={({ currentTarget: { value } }) =>
        onChange(isLink ? { link: value, field: '' } : { field: value })
      }
      data={[
        { value: '', label: '' },
        ...names.map((value) => ({ value, label: holder?.labelOf(value) ?? value })),
      ]}
    />
  );
}

export function EditFieldDialog(props: Props & { readonly name: string | undefined }) {
  const t = usePageText();
  const { entity, name, onClose } = props;
  const title = t('definitions.editField', {
    name: name === undefined ? '' : entity.labelOf(name),
  });
  return (
    <FormDialog isOpen={name !== undefined} title={title} onClose={onClose}>
      {name === undefined ? null : <LoadedField {...props} name={name} />}
    </FormDialog>
  );
}

function LoadedField(props: Props & { readonly name: string }) {
  const found = useQuery(fieldQuery(props.entity.name, props.name));
  if (found.data !== undefined) return <EditField {...props} found={found.data} />;
  if (found.error === null) return <Skeleton h={200} />;
  return <LoadError error={found.error} onRetry={() => void found.refetch()} />;
}

function EditField(props: Props & { readonly name: string; readonly found: FieldDefinition }) {
  const { entity, name, found, onClose } = props;
  const [changed, setChanged] = useState<FieldDefinition>({});
  const saving = useDefinitionChange(
    () => updateField({ scope: entity.name, name }, changed),
    onClose,
  );
  const settings = settingsOf(found.type ?? '', entity.fields[name]);
  return (
    <Stack>
      <DefinitionForm
        saving={saving}
        isUnchanged={Object.keys(changed).length === 0}
        onCancel={onClose}
      >
        {settings.map((setting) => (
          <SettingInput
            key={setting}
            setting={setting}
            values={{ ...found, ...changed }}
            onChange={(more) => setChanged((before) => ({ ...before, ...more }))}
          />
        ))}
      </DefinitionForm>
      {found.isCustom === true ? null : <ResetField {...props} />}
    </Stack>
  );
}

/** Resets a built-in field to its default settings. */
function ResetField({ entity, name, onClose }: Props & { readonly name: string }) {
  const t = usePageText();
  const reload = useReload();
  return (
    <div>
      <ConfirmByName
        label={t('definitions.reset')}
        title={t('definitions.resetTitle', { name: entity.labelOf(name) })}
        text={t('definitions.resetText')}
        name={name}
        act={() => resetField({ scope: entity.name, name })}
        onDone={() => {
          onClose();
          void reload();
        }}
      />
    </div>
  );
}

/** Returns the label of a field type with its API name, such as `Text (varchar)`. Unknown types are returned unchanged. */
export function useFieldTypeText(): (type: string) => string {
  const t = usePageText();
  return (type) => {
    const key = `fieldTypes.${type}`;
    return isPageKey(key) ? `${t(key)} (${type})` : type;
  };
}

function isPageKey(key: string): key is PageKey {
  return Object.hasOwn(messages, key);
}
