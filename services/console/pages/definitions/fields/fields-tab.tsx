import { Stack, Text } from '@mantine/core';
import { removeField } from '../../../api/definitions.ts';
import type { Entity } from '../../../api/metadata.ts';
import { usePageText } from '../../../language/page-text.ts';
import { Hint } from '../../../parts/hint.tsx';
import { DataTable } from '../../../parts/list/data-table.tsx';
import { Empty } from '../../../parts/page/empty.tsx';
import { arrange, type TypeTabProps } from '../definitions-state.ts';
import { ListHead, RemoveButton, RowActions } from '../list-parts.tsx';
import { CreateFieldDialog, EditFieldDialog, useFieldTypeText } from './field-dialog.tsx';

/** The built-in and custom fields of an entity type. */
export function FieldsTab(props: TypeTabProps) {
  const t = usePageText();
  const { entity, state, onChange } = props;
  return (
    <Stack gap="sm">
      <ListHead
        search={t('definitions.searchFields')}
        create={t('definitions.newField')}
        state={state}
        onChange={onChange}
      />
      <FieldTable {...props} />
      <CreateFieldDialog
        entity={entity}
        isOpen={state.mode === 'new'}
        onClose={() => onChange({ mode: undefined }, { replace: true })}
      />
      <EditFieldDialog
        entity={entity}
        name={state.name}
        onClose={() => onChange({ name: undefined }, { replace: true })}
      />
    </Stack>
  );
}

function useFieldRows(entity: Entity) {
  const t = usePageText();
  const typeText = useFieldTypeText();
  return Object.entries(entity.fields).map(([name, field]) => ({
    name,
    label: entity.labelOf(name),
    type: typeText(field.type),
    origin: t(field.isCustom === true ? 'definitions.custom' : 'definitions.builtIn'),
    rules: [
      ...(field.required === true ? [t('definitions.settingRequired')] : []),
      ...(field.readOnly === true ? [t('definitions.settingReadOnly')] : []),
    ].join(', '),
    isCustom: field.isCustom === true,
  }));
}

function FieldTable({ entity, state, onChange }: TypeTabProps) {
  const t = usePageText();
  const sort = state.sort ?? 'label';
  const rows = arrange(useFieldRows(entity), { q: state.q, sort });
  if (rows.length === 0) {
    return <Empty title={t('records.noMatch')} text={t('definitions.noMatchText')} />;
  }
  return (
    <>
      <Text size="sm" c="dimmed" role="status">
        {t('definitions.fieldCount', { count: rows.length })}
      </Text>
      <DataTable
        label={t('definitions.fields')}
        rows={rows}
        keyOf={({ name }) => name}
        sort={sort}
        onSort={(by) => onChange({ sort: by })}
        minWidth={860}
        columns={[
          ...(['label', 'name', 'type', 'origin'] as const).map((name) => ({
            name,
            label: t(`definitions.${name}`),
            show: (row: (typeof rows)[number]) => row[name],
          })),
          { label: t('definitions.rules'), show: ({ rules }) => rules },
          {
            label: '',
            show: (row) => (
              <FieldActions entity={entity} row={row} onEdit={() => onChange({ name: row.name })} />
            ),
          },
        ]}
      />
    </>
  );
}

interface Row {
  readonly name: string;
  readonly label: string;
  readonly isCustom: boolean;
}

/** Fields that every entity type has. They cannot be changed. */
const common: ReadonlySet<string> = new Set([
  'assignedUser',
  'collaborators',
  'createdAt',
  'createdBy',
  'isFollowed',
  'modifiedAt',
  'modifiedBy',
  'teams',
]);

/** Link fields are removed in the list of links, together with their other side. */
const isLink = /^link/;

function FieldActions(props: {
  readonly entity: Entity;
  readonly row: Row;
  readonly onEdit: () => void;
}) {
  const t = usePageText();
  const { entity, row, onEdit } = props;
  const { name, label, isCustom } = row;
  const isLinked = isLink.test(entity.fields[name]?.type ?? '');
  // The built-in fields of users cannot be changed.
  if (!isCustom && (common.has(name) || !entity.scope.object)) {
    return <Hint>{t('definitions.unchangeable')}</Hint>;
  }
  return (
    <RowActions label={label} onEdit={onEdit}>
      {isCustom && !isLinked ? (
        <RemoveButton
          label={label}
          name={name}
          text={t('definitions.removeFieldText')}
          act={() => removeField({ scope: entity.name, name })}
        />
      ) : null}
    </RowActions>
  );
}
