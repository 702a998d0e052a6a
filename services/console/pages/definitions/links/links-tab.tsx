import { Stack } from '@mantine/core';
import { removeLink } from '../../../api/definitions.ts';
import { type Entity, type Metadata, useMetadata } from '../../../api/metadata.ts';
import { usePageText } from '../../../language/page-text.ts';
import { DataTable } from '../../../parts/list/data-table.tsx';
import { Empty } from '../../../parts/page/empty.tsx';
import { arrange, type TypeTabProps } from '../definitions-state.ts';
import { ListHead, RemoveButton, RowActions } from '../list-parts.tsx';
import { TypeLink } from '../types-tab.tsx';
import { CreateLinkDialog, EditLinkDialog } from './create-link-dialog.tsx';

/** The links of an entity type. */
export function LinksTab(props: TypeTabProps) {
  const t = usePageText();
  const { entity, state, onChange } = props;
  return (
    <Stack gap="sm">
      <ListHead
        search={t('definitions.searchLinks')}
        create={t('definitions.newLink')}
        state={state}
        onChange={onChange}
      />
      <LinkTable {...props} />
      <CreateLinkDialog
        entity={entity}
        isOpen={state.mode === 'new'}
        onClose={() => onChange({ mode: undefined }, { replace: true })}
      />
      <EditLinkDialog
        entity={entity}
        link={state.name}
        onClose={() => onChange({ name: undefined }, { replace: true })}
      />
    </Stack>
  );
}

const kinds = {
  belongsTo: 'definitions.belongsTo',
  belongsToParent: 'definitions.belongsToParent',
  hasMany: 'definitions.hasMany',
  hasChildren: 'definitions.hasChildren',
  hasOne: 'definitions.hasOne',
} as const;

function useLinkRows(entity: Entity, metadata: Metadata) {
  const t = usePageText();
  return Object.entries(entity.links).map(([name, link]) => {
    const target = metadata.get(link.entity ?? '');
    // The flag is on the field of one side only.
    const isCustom =
      entity.fields[name]?.isCustom === true ||
      target?.fields[link.foreign ?? '']?.isCustom === true;
    return {
      name,
      label: entity.labelOf(name),
      kind: t(kinds[link.type]),
      to: target?.label ?? '',
      foreign: link.foreign ?? '',
      origin: t(isCustom ? 'definitions.custom' : 'definitions.builtIn'),
      target,
      isCustom,
    };
  });
}

function LinkTable({ entity, state, onChange }: TypeTabProps) {
  const t = usePageText();
  const metadata = useMetadata();
  const sort = state.sort ?? 'label';
  const all = useLinkRows(entity, metadata);
  const rows = arrange(all, { q: state.q, sort });
  if (all.length === 0) {
    return <Empty title={t('definitions.noLinks')} text={t('definitions.noLinksText')} />;
  }
  return (
    <DataTable
      empty={<Empty title={t('records.noMatch')} text={t('definitions.noMatchText')} />}
      label={t('definitions.links')}
      rows={rows}
      keyOf={({ name }) => name}
      sort={sort}
      onSort={(by) => onChange({ sort: by })}
      minWidth={900}
      columns={[
        ...(['label', 'name', 'kind'] as const).map((name) => ({
          name,
          label: t(`definitions.${name}`),
          show: (row: (typeof rows)[number]) => row[name],
        })),
        {
          name: 'to',
          label: t('definitions.to'),
          show: ({ target, to }) =>
            target?.scope.customizable === true ? <TypeLink name={target.name} label={to} /> : to,
        },
        { name: 'foreign', label: t('definitions.foreign'), show: ({ foreign }) => foreign },
        { name: 'origin', label: t('definitions.origin'), show: ({ origin }) => origin },
        {
          label: '',
          show: ({ name, label, isCustom }) =>
            isCustom ? (
              <RowActions label={label} onEdit={() => onChange({ name })}>
                <RemoveButton
                  label={label}
                  name={name}
                  text={t('definitions.removeLinkText')}
                  act={() => removeLink(entity.name, name)}
                />
              </RowActions>
            ) : null,
        },
      ]}
    />
  );
}
