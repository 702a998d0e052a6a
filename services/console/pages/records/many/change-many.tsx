import { Select, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { startMassAction } from '../../../api/mass-actions.ts';
import type { Entity } from '../../../api/metadata.ts';
import { useProblems } from '../../../api/problems.ts';
import type { ListSearch } from '../../../api/records.ts';
import { useRights } from '../../../api/rights.ts';
import { fieldTypeOf, isEntered } from '../../../fields/field-types.ts';
import type { Values } from '../../../fields/input-parts.ts';
import { FieldInput } from '../../../fields/input-types.tsx';
import { useText } from '../../../language/language.tsx';
import { DialogActions, DialogButton } from '../../../parts/dialog.tsx';
import { ErrorAlert } from '../../../parts/page/error-alert.tsx';
import { chosenOf, type Selection } from './selection.ts';

interface Props {
  readonly entity: Entity;
  readonly search: ListSearch;
  readonly selection: Selection;
  readonly count: number;
  readonly onStart: (id: string) => void;
}

export function ChangeManyButton(props: Props) {
  const t = useText();
  return (
    <DialogButton
      size="compact-sm"
      label={t('many.change')}
      title={t('many.changeTitle', { count: props.count })}
      dialogSize="lg"
    >
      {(close) => <ChangeForm {...props} onClose={close} />}
    </DialogButton>
  );
}

/** Sets the picked fields to the same values in every record. */
function ChangeForm(props: Props & { readonly onClose: () => void }) {
  const t = useText();
  const { entity, search, selection, count, onStart, onClose } = props;
  const [names, setNames] = useState<readonly string[]>([]);
  const [values, setValues] = useState<Values>({});
  const starting = useMutation({
    mutationFn: async () =>
      startMassAction({
        entity: entity.name,
        action: 'update',
        chosen: chosenOf(selection, search),
        values,
      }),
    onSuccess: (id) => {
      onClose();
      onStart(id);
    },
  });
  const problems = useProblems(entity, starting.error);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    starting.mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack>
        <Text size="sm">{t('many.changeText')}</Text>
        {names.map((name) => {
          const field = entity.fields[name];
          if (field === undefined) return null;
          return (
            <FieldInput
              key={name}
              entity={entity}
              name={name}
              field={field}
              label={entity.labelOf(name)}
              values={values}
              error={problems.get(name)}
              onChange={(more) => setValues((before) => ({ ...before, ...more }))}
            />
          );
        })}
        <FieldPicker
          entity={entity}
          without={names}
          onPick={(name) => {
            setNames([...names, name]);
            setValues((before) => ({ ...emptyOf(entity, name), ...before }));
          }}
        />
        <ErrorAlert error={starting.error} />
        <DialogActions
          label={t('many.changeDo', { count })}
          isDisabled={names.length === 0}
          isPending={starting.isPending}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

/** Returns the initial values of a field. An untouched checkbox sets the value that it shows. */
function emptyOf(entity: Entity, name: string): Values {
  const field = entity.fields[name];
  const value = field && fieldTypeOf(field).emptyValue;
  return value === undefined ? {} : { [name]: value };
}

function FieldPicker(props: {
  readonly entity: Entity;
  readonly without: readonly string[];
  readonly onPick: (name: string) => void;
}) {
  const t = useText();
  const { entity, without, onPick } = props;
  const rights = useRights(entity.name);
  const [typed, setTyped] = useState('');
  const options = Object.entries(entity.fields)
    .filter(
      ([name, field]) =>
        isEntered(field) &&
        fieldTypeOf(field).holdsFiles === undefined &&
        rights.mayEditField(name),
    )
    .map(([value]) => ({ value, label: entity.labelOf(value) }))
    .filter(({ value }) => !without.includes(value))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  return (
    <Select
      label={t('many.pickField')}
      placeholder={t('forms.pick')}
      nothingFoundMessage={t('forms.nothingFound')}
      searchable
      value={null}
      data={options}
      searchValue={typed}
      onSearchChange={setTyped}
      onChange={(name) => {
        if (name !== null) onPick(name);
        setTyped('');
      }}
    />
  );
}
