import { NativeSelect, Stack, Text } from '@mantine/core';
import { type Metadata, useMetadata, useTypeLabel } from '../../../api/metadata.ts';
import { useText } from '../../../language/language.tsx';
import { DataTable } from '../../../parts/list/data-table.tsx';
import { Empty } from '../../../parts/page/empty.tsx';
import { Diagram } from './diagram.tsx';
import { type Relation, relationsOf } from './relations.ts';

const kinds = {
  manyToMany: 'definitions.manyToMany',
  manyToOne: 'definitions.manyToOne',
  toParent: 'definitions.toParent',
} as const;

/** The links between entity types, as a diagram and as an equivalent table. */
export function DiagramTab(props: {
  readonly focus: string | undefined;
  readonly onFocus: (focus: string | undefined) => void;
}) {
  const t = useText();
  const metadata = useMetadata();
  const types = typesOf(metadata);
  const focus = types.some(({ name }) => name === props.focus) ? props.focus : undefined;
  const all = relationsOf(metadata);
  const shown = all.filter(({ from, to }) => focus === undefined || from === focus || to === focus);
  return (
    <Stack>
      <NativeSelect
        label={t('definitions.focus')}
        maw={320}
        value={focus ?? ''}
        onChange={({ currentTarget: { value } }) => props.onFocus(value === '' ? undefined : value)}
        data={[
          { value: '', label: t('definitions.allTypes') },
          ...types.map(({ name, label }) => ({ value: name, label })),
        ]}
      />
      <Diagram types={types} relations={shown} focus={focus} />
      <Text size="sm" c="dimmed">
        {t('definitions.legend')}
      </Text>
      {shown.length === 0 ? (
        <Empty title={t('definitions.noLinks')} text={t('definitions.noLinksText')} />
      ) : (
        <RelationTable relations={shown} />
      )}
    </Stack>
  );
}

function typesOf(metadata: Metadata) {
  return [...metadata.values()]
    .filter(({ scope }) => scope.object)
    .map(({ name, label, scope }) => ({ name, label, isCustom: scope.isCustom }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

function RelationTable(props: { readonly relations: readonly Relation[] }) {
  const t = useText();
  const { relations } = props;
  const labelOf = useTypeLabel();
  return (
    <DataTable
      label={t('definitions.relations')}
      rows={relations}
      keyOf={({ from, link, to }) => `${from} ${link} ${to}`}
      minWidth={720}
      columns={[
        { name: 'from', label: t('definitions.from'), show: ({ from }) => labelOf(from) },
        { name: 'link', label: t('definitions.link'), show: ({ link }) => link },
        { name: 'kind', label: t('definitions.kind'), show: ({ kind }) => t(kinds[kind]) },
        { name: 'to', label: t('definitions.to'), show: ({ to }) => labelOf(to) },
        { name: 'foreign', label: t('definitions.foreign'), show: ({ foreign }) => foreign },
      ]}
    />
  );
}
