import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconPlus, IconSearch } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { columnsQuery, type ListSearch, toSearchParams } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import { useText } from '../../language/language.tsx';
import { CopyAs } from '../../parts/copy-as.tsx';
import { LoadError } from '../../parts/load-error.tsx';
import { NotFound } from '../../parts/not-found.tsx';
import { PageSkeleton } from '../../parts/page-skeleton.tsx';
import { PageTitle } from '../../parts/page-title.tsx';
import { useSearchState } from '../../parts/search-state.ts';
import { ColumnMenu } from './column-menu.tsx';
import { ConditionButton } from './conditions/condition-button.tsx';
import { type ListState, listReaders, toSearch } from './list-state.ts';
import { RecordList } from './record-list.tsx';

/** The records of any entity type. */
export function RecordsPage() {
  const { entity: name } = useParams({ from: '/records/$entity' });
  const entity = useMetadata().get(name);
  if (entity === undefined) return <NotFound />;
  return <RecordsOf key={name} entity={entity} />;
}

function RecordsOf({ entity }: { readonly entity: Entity }) {
  const readers = useMemo(() => listReaders(entity), [entity]);
  const [state, change] = useSearchState<ListState>(readers);
  const layout = useQuery(columnsQuery(entity.name));
  const columns = state.columns?.split(',') ?? layout.data;
  if (columns === undefined) {
    if (layout.error === null) return <PageSkeleton />;
    return (
      <Stack p="md">
        <PageTitle>{entity.labelPlural}</PageTitle>
        <LoadError error={layout.error} onRetry={() => void layout.refetch()} />
      </Stack>
    );
  }
  const search = toSearch(state, { entity, columns });
  return (
    <Stack p="md" gap="sm">
      <Group justify="space-between">
        <PageTitle>{entity.labelPlural}</PageTitle>
        <CreateButton entity={entity} />
      </Group>
      <Group justify="space-between">
        <SearchInput
          entity={entity}
          value={state.q ?? ''}
          onChange={(q) => change({ q: q === '' ? undefined : q, part: undefined })}
        />
        <Group gap="xs">
          <ConditionButton
            entity={entity}
            where={state.where ?? []}
            onChange={(where) =>
              change({ where: where.length > 0 ? where : undefined, part: undefined })
            }
          />
          <ColumnMenu
            entity={entity}
            columns={columns}
            onChange={(chosen) => change({ columns: chosen.join(',') })}
          />
          <CopyAs path={pathOf(search)} />
        </Group>
      </Group>
      <RecordList
        entity={entity}
        columns={columns}
        search={search}
        part={state.part ?? 0}
        isNarrowed={state.q !== undefined || state.where !== undefined}
        onSort={(sort) => change({ sort })}
        onPart={(part) => change({ part })}
        onClear={() => change({ q: undefined, where: undefined, part: undefined })}
      />
    </Stack>
  );
}

function pathOf(search: ListSearch): string {
  return `/${search.entity}?searchParams=${encodeURIComponent(toSearchParams(search, 0))}`;
}

function CreateButton({ entity }: { readonly entity: Entity }) {
  const t = useText();
  const { acl } = useUser();
  const levels = acl.table[entity.name];
  if (typeof levels === 'object' && levels['create'] === 'no') return null;
  return (
    <Button
      leftSection={<IconPlus size={16} aria-hidden="true" />}
      renderRoot={(props) => (
        <Link to="/create/$entity" params={{ entity: entity.name }} {...props} />
      )}
    >
      {t('record.create', { entity: entity.label })}
    </Button>
  );
}

const waitMs = 300;

function SearchInput(props: {
  readonly entity: Entity;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const t = useText();
  const [text, setText] = useState(props.value);
  const send = useDebouncedCallback(props.onChange, waitMs);
  // Back and links change it from outside.
  useEffect(() => setText(props.value), [props.value]);
  const label = t('records.searchIn', { entity: props.entity.labelPlural });
  return (
    <TextInput
      type="search"
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        send(value);
      }}
      placeholder={label}
      aria-label={label}
      leftSection={<IconSearch size={16} aria-hidden="true" />}
      rightSection={
        <Text size="xs" c="dimmed" aria-hidden="true">
          /
        </Text>
      }
      w={{ base: '100%', xs: 320 }}
    />
  );
}
