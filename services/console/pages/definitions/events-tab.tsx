import { Code, Stack } from '@mantine/core';
import { eventNamesOf } from '../../api/event-names.ts';
import { usePageText } from '../../language/page-text.ts';
import { Copy } from '../../parts/copy/copy.tsx';
import { Hint } from '../../parts/hint.tsx';
import { DataTable } from '../../parts/list/data-table.tsx';
import { SearchInput } from '../../parts/list/search-input.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { arrange, type TypeTabProps } from './definitions-state.ts';

const texts = {
  create: 'definitions.eventCreate',
  update: 'definitions.eventUpdate',
  delete: 'definitions.eventDelete',
  fieldUpdate: 'definitions.eventFieldUpdate',
  relate: 'definitions.eventRelate',
  unrelate: 'definitions.eventUnrelate',
} as const;

/** The events of an entity type that a webhook can subscribe to. */
export function EventsTab({ entity, state, onChange }: TypeTabProps) {
  const t = usePageText();
  const events = eventNamesOf(entity).map(({ name, kind, part }) => ({
    name,
    meaning: t(texts[kind], { part: part === undefined ? '' : entity.labelOf(part) }),
  }));
  // Not sorted, so that events of whole records come first.
  const rows = arrange(events, { q: state.q });
  return (
    <Stack gap="sm">
      <Hint>{t('definitions.eventsText')}</Hint>
      <SearchInput
        label={t('definitions.searchEvents')}
        value={state.q ?? ''}
        onChange={(q) => onChange({ q: q === '' ? undefined : q })}
      />
      <DataTable
        empty={<Empty title={t('records.noMatch')} text={t('definitions.noMatchText')} />}
        label={t('definitions.events')}
        rows={rows}
        keyOf={({ name }) => name}
        minWidth={720}
        columns={[
          {
            label: t('definitions.event'),
            show: ({ name }) => <Code>{name}</Code>,
          },
          { label: t('definitions.meaning'), show: ({ meaning }) => meaning },
          { label: '', show: ({ name }) => <Copy value={name} label={name} size="compact-xs" /> },
        ]}
      />
    </Stack>
  );
}
