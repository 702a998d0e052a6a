import { Button, Stack } from '@mantine/core';
import { useMetadata } from '../../api/metadata.ts';
import { usePageText } from '../../language/page-text.ts';
import { TextLink } from '../../parts/link.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { SearchInput } from '../../parts/list/search-input.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { isTemplate } from './create-type-dialog.tsx';
import { arrange, type DefinitionsState } from './definitions-state.ts';

interface Props {
  readonly state: Partial<DefinitionsState>;
  readonly onChange: (change: Partial<DefinitionsState>) => void;
}

/** The customizable and custom entity types. */
export function TypesTab({ state, onChange }: Props) {
  const t = usePageText();
  const sort = state.sort ?? 'label';
  const templateLabel = (type: string) => (isTemplate(type) ? t(`definitions.type${type}`) : type);
  const types = [...useMetadata().values()]
    .filter(({ scope }) => scope.customizable === true)
    .map(({ name, label, scope, fields, links }) => ({
      name,
      label,
      template: templateLabel(scope.type ?? ''),
      origin: t(scope.isCustom ? 'definitions.custom' : 'definitions.builtIn'),
      fields: Object.keys(fields).length,
      links: Object.keys(links).length,
    }));
  const rows = arrange(types, { q: state.q, sort });
  return (
    <Stack gap="sm">
      <SearchInput
        label={t('definitions.searchTypes')}
        value={state.q ?? ''}
        onChange={(q) => onChange({ q: q === '' ? undefined : q })}
      />
      <DataTable
        empty={
          <Empty title={t('records.noMatch')} text={t('definitions.noMatchText')}>
            <Button variant="default" onClick={() => onChange({ q: undefined })}>
              {t('people.showAll')}
            </Button>
          </Empty>
        }
        label={t('definitions.types')}
        rows={rows}
        keyOf={({ name }) => name}
        sort={sort}
        onSort={(by) => onChange({ sort: by })}
        minWidth={720}
        columns={[
          {
            name: 'label',
            label: t('definitions.label'),
            show: ({ name, label }) => <TypeLink name={name} label={label} />,
          },
          { name: 'name', label: t('definitions.name'), show: ({ name }) => name },
          { name: 'template', label: t('definitions.template'), show: ({ template }) => template },
          { name: 'origin', label: t('definitions.origin'), show: ({ origin }) => origin },
          { name: 'fields', label: t('definitions.fields'), show: ({ fields }) => fields },
          { name: 'links', label: t('definitions.links'), show: ({ links }) => links },
        ]}
      />
    </Stack>
  );
}

export function TypeLink({ name, label }: { readonly name: string; readonly label: string }) {
  return (
    <TextLink inherit to="/definitions/$entity" params={{ entity: name }}>
      {label}
    </TextLink>
  );
}
