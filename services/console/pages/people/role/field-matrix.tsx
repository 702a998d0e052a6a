import { NativeSelect, Stack } from '@mantine/core';
import { type Entity, useMetadata } from '../../../api/metadata.ts';
import { usePageText } from '../../../language/page-text.ts';
import { type Column, DataTable } from '../../../parts/list/data-table.tsx';
import { useActionText, useLevelText } from '../level-badge.tsx';
import { type RoleDraft, withFieldLevel } from './role-draft.ts';

interface Props {
  readonly draft: RoleDraft;
  readonly onChange: (draft: RoleDraft) => void;
}

interface Row {
  readonly name: string;
  readonly label: string;
}

/** The read and edit permissions for the fields of one entity type. */
export function FieldMatrix(
  props: Props & {
    readonly entity: string | undefined;
    readonly onEntity: (entity: string) => void;
  },
) {
  const t = usePageText();
  const types = useTypes();
  const { draft } = props;
  const entity = types.find(({ name }) => name === props.entity) ?? types[0];
  if (entity === undefined) return null;
  return (
    <Stack gap="xs">
      <NativeSelect
        label={t('people.entityType')}
        maw={320}
        value={entity.name}
        onChange={({ currentTarget }) => props.onEntity(currentTarget.value)}
        data={types.map(({ name, label }) => {
          const count = Object.keys(draft.fieldData[name] ?? {}).length;
          const shown = count === 0 ? label : t('people.typeWithFields', { label, count });
          return { value: name, label: shown };
        })}
      />
      <Fields {...props} entity={entity} />
    </Stack>
  );
}

function useTypes(): readonly Entity[] {
  return [...useMetadata().values()]
    .filter(({ scope }) => scope.aclActionList !== undefined)
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

function Fields(props: Props & { readonly entity: Entity }) {
  const t = usePageText();
  const actionText = useActionText();
  const { entity } = props;
  const rows = Object.keys(entity.fields)
    .map((name) => ({ name, label: entity.labelOf(name) }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const columns: readonly Column<Row>[] = [
    { label: t('people.field'), show: ({ label }) => label },
    ...(['read', 'edit'] as const).map((action) => ({
      label: actionText(action),
      show: (row: Row) => <FieldSelect {...props} row={row} action={action} />,
    })),
  ];
  return (
    <DataTable
      label={t('people.fieldsOf', { entity: entity.label })}
      columns={columns}
      rows={rows}
      keyOf={({ name }) => name}
      minWidth={480}
    />
  );
}

function FieldSelect(
  props: Props & { readonly entity: Entity; readonly row: Row; readonly action: 'edit' | 'read' },
) {
  const t = usePageText();
  const levelText = useLevelText();
  const actionText = useActionText();
  const { draft, onChange, entity, row, action } = props;
  const place = { entity: entity.name, field: row.name, action };
  const rights = draft.fieldData[entity.name]?.[row.name];
  return (
    <NativeSelect
      size="xs"
      aria-label={`${row.label}: ${actionText(action)}`}
      // A field that cannot be read cannot be edited.
      disabled={action === 'edit' && rights?.['read'] === 'no' && rights['edit'] === 'no'}
      value={rights?.[action] ?? ''}
      onChange={({ currentTarget }) => onChange(withFieldLevel(draft, place, currentTarget.value))}
      data={[
        { value: '', label: t('people.notSet') },
        ...['yes', 'no'].map((level) => ({ value: level, label: levelText(level) })),
      ]}
    />
  );
}
