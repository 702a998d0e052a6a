import { Button, Group } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { usePageText } from '../../language/page-text.ts';
import { ConfirmByName } from '../../parts/confirm-by-name.tsx';
import { SearchInput } from '../../parts/list/search-input.tsx';
import type { TypeTabProps } from './definitions-state.ts';
import { useReload } from './form-dialog.tsx';

/** The toolbar of a list: a search input, and a button that opens the dialog for a new entry. */
export function ListHead(props: {
  readonly search: string;
  readonly create: string;
  readonly state: TypeTabProps['state'];
  readonly onChange: TypeTabProps['onChange'];
}) {
  const { search, create, state, onChange } = props;
  return (
    <Group justify="space-between">
      <SearchInput
        label={search}
        value={state.q ?? ''}
        onChange={(q) => onChange({ q: q === '' ? undefined : q })}
      />
      <Button
        leftSection={<IconPlus size={16} aria-hidden="true" />}
        onClick={() => onChange({ mode: 'new' })}
      >
        {create}
      </Button>
    </Group>
  );
}

/** The edit button and other actions of a row. */
export function RowActions(props: {
  readonly label: string;
  readonly onEdit: () => void;
  readonly children: ReactNode;
}) {
  const t = usePageText();
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${t('record.edit')}: ${props.label}`}
        onClick={props.onEdit}
      >
        {t('record.edit')}
      </Button>
      {props.children}
    </Group>
  );
}

/** Requires the user to type the name. */
export function RemoveButton(props: {
  readonly label: string;
  readonly name: string;
  readonly text: string;
  readonly act: () => Promise<unknown>;
}) {
  const t = usePageText();
  const reload = useReload();
  const { label, name, text, act } = props;
  return (
    <ConfirmByName
      size="compact-sm"
      label={t('definitions.remove')}
      of={label}
      title={t('definitions.removeTitle', { name: label })}
      text={text}
      name={name}
      act={act}
      onDone={() => void reload()}
    />
  );
}
