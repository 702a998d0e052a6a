import { Group, NativeSelect } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMetadata } from '../../api/metadata.ts';
import { recordQuery } from '../../api/records.ts';
import { type EventFilter, eventTypes } from '../../api/system.ts';
import { RecordSelect } from '../../fields/link-inputs.tsx';
import { usePageText } from '../../language/page-text.ts';
import { SearchInput } from '../../parts/list/search-input.tsx';
import { useLoggedTypeLabel } from './logged-type.ts';

const typeTexts = {
  created: 'time.created',
  updated: 'time.updated',
  deleted: 'time.deleted',
} as const;

interface Props {
  readonly filter: Partial<EventFilter>;
  readonly onChange: (change: Partial<EventFilter>) => void;
}

/** `children` are further filters. */
export function EventFilters({
  filter,
  onChange,
  children,
}: Props & { readonly children?: ReactNode }) {
  const t = usePageText();
  return (
    <Group align="flex-end" component="search" aria-label={t('log.filters')}>
      <EntityTypeSelect filter={filter} onChange={onChange} />
      <NativeSelect
        label={t('log.what')}
        value={filter.type ?? ''}
        onChange={({ currentTarget: { value } }) =>
          onChange({ type: eventTypes.find((type) => type === value) })
        }
        data={[
          { value: '', label: t('log.any') },
          ...eventTypes.map((value) => ({ value, label: t(typeTexts[value]) })),
        ]}
      />
      <UserSelect userId={filter.userId} onChange={onChange} />
      <SearchInput
        isLabelled
        label={t('log.recordId')}
        value={filter.id ?? ''}
        onChange={(id) => onChange({ id: id.trim() || undefined })}
      />
      {children}
    </Group>
  );
}

function EntityTypeSelect({ filter, onChange }: Props) {
  const t = usePageText();
  const metadata = useMetadata();
  const typeLabel = useLoggedTypeLabel();
  const chosen = filter.entityType ?? '';
  const known = [...metadata.values()]
    .filter(({ scope }) => scope.object)
    .map(({ name, label }) => ({ value: name, label }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
  const isOther = chosen !== '' && !known.some(({ value }) => value === chosen);
  return (
    <NativeSelect
      label={t('log.entityType')}
      value={chosen}
      onChange={({ currentTarget: { value } }) => onChange({ entityType: value || undefined })}
      data={[
        { value: '', label: t('log.any') },
        ...known,
        ...(isOther ? [{ value: chosen, label: typeLabel(chosen) }] : []),
      ]}
    />
  );
}

function UserSelect(props: {
  readonly userId: string | undefined;
  readonly onChange: (change: Partial<EventFilter>) => void;
}) {
  const t = usePageText();
  const { userId = '', onChange } = props;
  const { data } = useQuery({ ...recordQuery('User', userId), enabled: userId !== '' });
  const name = data?.record['name'];
  const shown = userId === '' || typeof name !== 'string' ? userId : name;
  return (
    <RecordSelect
      // The input reads `shown` only when it is created.
      key={shown}
      label={t('log.by')}
      entity="User"
      value={userId}
      shown={shown}
      onPick={(id) => onChange({ userId: id ?? undefined })}
    />
  );
}
