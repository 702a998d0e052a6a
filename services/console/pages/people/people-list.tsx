import { Button, Group, Stack, Text } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMetadata } from '../../api/metadata.ts';
import { type AnyRecord, type Condition, listQuery, pageSize } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import { usePageText } from '../../language/page-text.ts';
import { ButtonLink } from '../../parts/button-link.tsx';
import { type Column, DataTable } from '../../parts/list/data-table.tsx';
import { Pages } from '../../parts/list/pages.tsx';
import { SearchInput } from '../../parts/list/search-input.tsx';
import { Empty } from '../../parts/page/empty.tsx';
import { Pending } from '../../parts/page/pending.tsx';
import { type Kind, kinds } from './kinds.ts';
import type { PeopleState } from './people-state.ts';

export interface TabProps {
  readonly state: Partial<PeopleState>;
  readonly onChange: (change: Partial<PeopleState>) => void;
}

interface Props extends TabProps {
  readonly kind: Kind;
  readonly columns: readonly Column<AnyRecord>[];
  /** The attributes that the columns show. */
  readonly select: readonly string[];
  /** Filters the list by conditions on any attribute. */
  readonly where?: readonly Condition[];
  /** Shown next to the search input. */
  readonly filter?: ReactNode;
}

/** A list of users, teams or roles, with a search input and a button that creates a new one. */
export function PeopleList(props: Props) {
  const t = usePageText();
  const { kind, state, onChange } = props;
  const { entity } = kinds[kind];
  const { user } = useUser();
  const label = useMetadata().get(entity)?.labelPlural ?? entity;
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="flex-end">
        <Group align="flex-end" w={{ base: '100%', xs: 'auto' }}>
          <SearchInput
            label={t('records.searchIn', { entity: label })}
            value={state.q ?? ''}
            onChange={(q) => onChange({ q: q === '' ? undefined : q, page: undefined })}
          />
          {props.filter}
        </Group>
        {user.isAdmin ? (
          <ButtonLink
            leftSection={<IconPlus size={16} aria-hidden="true" />}
            to="/people/new/$kind"
            params={{ kind }}
          >
            {t(kinds[kind].newText)}
          </ButtonLink>
        ) : null}
      </Group>
      <Found {...props} label={label} />
    </Stack>
  );
}

function Found(props: Props & { readonly label: string }) {
  const t = usePageText();
  const { kind, columns, state, onChange, where = [] } = props;
  const { entity, orderBy } = kinds[kind];
  const sort = state.sort ?? orderBy;
  const search = {
    entity,
    select: props.select,
    orderBy: sort.replace(/^-/, ''),
    order: sort.startsWith('-') ? ('desc' as const) : ('asc' as const),
    textFilter: state.q ?? '',
    where,
  };
  const page = state.page ?? 0;
  const found = useQuery({ ...listQuery(search, page), placeholderData: keepPreviousData });
  if (found.data === undefined) return <Pending query={found} height={240} />;
  const { list, total } = found.data;
  if (total === 0)
    return <Nothing {...props} isNarrowed={state.q !== undefined || where.length > 0} />;
  return (
    <Stack gap="xs">
      <Text size="sm" c="dimmed" role="status">
        {t('records.total', { count: total })}
      </Text>
      <DataTable
        label={props.label}
        columns={columns}
        rows={list}
        keyOf={({ id }) => id}
        sort={sort}
        onSort={(by) => onChange({ sort: by, page: undefined })}
      />
      <Pages
        count={Math.ceil(total / pageSize)}
        page={page}
        onChange={(chosen) => onChange({ page: chosen === 0 ? undefined : chosen })}
      />
    </Stack>
  );
}

function Nothing({ kind, isNarrowed, onChange }: Props & { readonly isNarrowed: boolean }) {
  const t = usePageText();
  if (!isNarrowed) return <Empty title={t('people.nothing')} text={t(kinds[kind].nothingText)} />;
  return (
    <Empty title={t('records.noMatch')} text={t('people.noMatchText')}>
      <Button variant="default" onClick={() => onChange({ q: undefined, type: undefined })}>
        {t('people.showAll')}
      </Button>
    </Empty>
  );
}
