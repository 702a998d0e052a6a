import { Checkbox, MultiSelect, NativeSelect, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { type EntityChange, removeEntity, updateEntity } from '../../api/definitions.ts';
import type { Entity } from '../../api/metadata.ts';
import { usePageText } from '../../language/page-text.ts';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';
import { inputsOf } from '../../parts/inputs-of.ts';
import { DefinitionForm, useDefinitionChange, useReload } from './form-dialog.tsx';

type Options = Omit<EntityChange, 'name'>;

/** Edits the options of a custom entity type, or removes it. */
export function OptionsTab({ entity }: { readonly entity: Entity }) {
  const [changed, setChanged] = useState<Options>({});
  const change = (more: Options) => setChanged((before) => ({ ...before, ...more }));
  const saving = useDefinitionChange(
    () => updateEntity({ ...changed, name: entity.name }),
    () => setChanged({}),
  );
  return (
    <Stack maw={640}>
      <DefinitionForm saving={saving} isUnchanged={Object.keys(changed).length === 0}>
        <OptionInputs
          entity={entity}
          values={{ ...optionsOf(entity), ...changed }}
          onChange={change}
        />
      </DefinitionForm>
      <RemoveType entity={entity} />
    </Stack>
  );
}

function optionsOf({ scope, collection, optimisticConcurrencyControl = false }: Entity): Options {
  return {
    stream: scope.stream,
    optimisticConcurrencyControl,
    sortBy: collection.orderBy,
    sortDirection: collection.order,
    textFilterFields: [...(collection.textFilterFields ?? [])],
  };
}

function OptionInputs(props: {
  readonly entity: Entity;
  readonly values: Options;
  readonly onChange: (values: Options) => void;
}) {
  const t = usePageText();
  const { entity, values, onChange } = props;
  const { text, flag } = inputsOf(values, onChange);
  const fields = Object.keys(entity.fields).map((value) => ({
    value,
    label: entity.labelOf(value),
  }));
  return (
    <>
      <Checkbox label={t('definitions.stream')} {...flag('stream')} />
      <Checkbox label={t('definitions.versions')} {...flag('optimisticConcurrencyControl')} />
      <NativeSelect label={t('definitions.sortBy')} {...text('sortBy')} data={fields} />
      <NativeSelect
        label={t('definitions.direction')}
        {...text('sortDirection')}
        data={[
          { value: 'asc', label: t('definitions.ascending') },
          { value: 'desc', label: t('definitions.descending') },
        ]}
      />
      <MultiSelect
        label={t('definitions.searched')}
        description={t('definitions.searchedText')}
        searchable
        value={values.textFilterFields ?? []}
        onChange={(textFilterFields) => onChange({ textFilterFields })}
        data={fields}
      />
    </>
  );
}

function RemoveType({ entity }: { readonly entity: Entity }) {
  const t = usePageText();
  const navigate = useNavigate();
  const reload = useReload();
  const leave = async (): Promise<void> => {
    await navigate({ to: '/definitions' });
    await reload();
  };
  return (
    <div>
      <ConfirmByName
        label={t('definitions.removeType')}
        title={t('definitions.removeTitle', { name: entity.label })}
        text={t('definitions.removeTypeText')}
        name={entity.name}
        act={() => removeEntity(entity.name)}
        onDone={() => void leave()}
      />
    </div>
  );
}
