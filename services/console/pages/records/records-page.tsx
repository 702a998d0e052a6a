import { Stack } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { columnsQuery, type ListSearch, listQuery, toSearchParams } from '../../api/records.ts';
import { useDecidingAttributes } from '../../api/rights.ts';
import { useUser } from '../../api/session.ts';
import { useSearchState } from '../../parts/list/search-state.ts';
import { UnknownType } from '../../parts/page/no-access.tsx';
import { PendingPage } from '../../parts/page/pending.tsx';
import { UnreadNotice } from '../../parts/unread-notice.tsx';
import { ColumnMenu } from './columns/column-menu.tsx';
import {
  type ListPreferences,
  useListPreferences,
  type Widths,
} from './columns/list-preferences.ts';
import { ConditionButton } from './conditions/condition-button.tsx';
import { ConditionChips } from './conditions/condition-chips.tsx';
import { ListHead } from './list-head.tsx';
import { activeFilters, type ListState, listReaders, toSearch } from './list-state.ts';
import { MassActionPanel } from './many/mass-action-panel.tsx';
import { emptySelection, type Selection } from './many/selection.ts';
import { MoreMenu } from './more-menu.tsx';
import { QuickFilterBar } from './quick/quick-filter-bar.tsx';
import { RecordList } from './record-list.tsx';
import { ViewSwitch } from './view-switch.tsx';
import { ViewsMenu } from './views/views-menu.tsx';

/** The record list of an entity type. */
export function RecordsPage() {
  const { entity: name } = useParams({ from: '/records/$entity' });
  const entity = useMetadata().get(name);
  if (entity === undefined) return <UnknownType name={name} />;
  return <RecordsOf key={name} entity={entity} />;
}

function RecordsOf({ entity }: { readonly entity: Entity }) {
  const readers = useMemo(() => listReaders(entity), [entity]);
  const [address, change] = useSearchState<ListState>(readers);
  const [preferences, store] = useListPreferences(entity);
  const { user } = useUser();
  const layout = useQuery(columnsQuery(entity.name));
  // An address that names columns and an order can be shared: every user sees the same list.
  const state = {
    ...address,
    columns: address.columns ?? preferences.columns?.join(),
    sort: address.sort ?? preferences.sort,
  };
  const columns = state.columns?.split(',') ?? layout.data;
  if (columns === undefined) {
    return <PendingPage title={entity.labelPlural} query={layout} />;
  }
  const search = toSearch(state, { entity, columns, userId: user.id });
  return (
    <LoadedList
      entity={entity}
      columns={columns}
      widths={preferences.widths ?? {}}
      search={search}
      state={state}
      onChange={change}
      onArrange={store}
    />
  );
}

interface ListProps {
  readonly entity: Entity;
  readonly columns: readonly string[];
  readonly widths: Widths;
  readonly search: ListSearch;
  readonly state: Partial<ListState>;
  readonly onChange: (change: Partial<ListState>) => void;
  /** Changes how the user sees this list from now on. */
  readonly onArrange: (change: ListPreferences) => void;
}

function LoadedList(props: ListProps) {
  const { entity, columns, widths, search, state, onChange, onArrange } = props;
  const [selection, select] = useSelection(search);
  const listed = useListedSearch(entity, search);
  return (
    <Stack p="md" gap="sm">
      <ListHead
        entity={entity}
        title={entity.labelPlural}
        views={<ViewsMenu entity={entity.name} state={state} />}
        search={state.q ?? ''}
        onSearch={(q) => onChange({ q, part: undefined })}
      >
        <Tools {...props} listed={listed} selection={selection} />
      </ListHead>
      <ConditionChips
        entity={entity}
        where={state.where ?? []}
        onChange={(where) =>
          onChange({ where: where.length > 0 ? where : undefined, part: undefined })
        }
      />
      {state.action === undefined ? null : (
        <MassActionPanel
          key={state.action}
          entity={entity}
          id={state.action}
          onClose={() => onChange({ action: undefined })}
        />
      )}
      <UnreadNotice entity={entity.name} />
      <RecordList
        entity={entity}
        columns={columns}
        widths={widths}
        onWidths={(changed) => onArrange({ widths: { ...widths, ...changed } })}
        search={listed}
        selection={selection}
        filters={
          <QuickFilterBar
            entity={entity}
            active={activeFilters(state.filter)}
            onChange={(active) =>
              onChange({
                filter: active.length > 0 ? active.join(',') : undefined,
                part: undefined,
              })
            }
          />
        }
        part={state.part ?? 0}
        isNarrowed={[state.q, state.filter, state.where].some((part) => part !== undefined)}
        onSort={(sort) => {
          onArrange({ sort });
          onChange({ sort });
        }}
        onPart={(part) => onChange({ part })}
        onClear={() =>
          onChange({ q: undefined, filter: undefined, where: undefined, part: undefined })
        }
        onSelect={select}
        onStart={(action) => {
          select(emptySelection);
          onChange({ action });
        }}
      />
    </Stack>
  );
}

/** Adds the attributes that decide whether the user may edit a record of the list, and whether it is overdue. */
function useListedSearch(entity: Entity, search: ListSearch): ListSearch {
  const deciding = useDecidingAttributes(entity);
  return { ...search, select: [...new Set([...search.select, ...deciding, ...statusOf(entity)])] };
}

function statusOf({ scope: { statusField } }: Entity): readonly string[] {
  return statusField === undefined ? [] : [statusField];
}

/** Clears the selection whenever the search or the filters change. */
function useSelection({ textFilter, where }: ListSearch) {
  const narrowing = JSON.stringify([textFilter, where]);
  const [{ of, selection }, set] = useState({ of: narrowing, selection: emptySelection });
  const select = (chosen: Selection): void => set({ of: narrowing, selection: chosen });
  return [of === narrowing ? selection : emptySelection, select] as const;
}

function Tools(props: ListProps & { readonly listed: ListSearch; readonly selection: Selection }) {
  const { entity, columns, search, state, onChange, onArrange } = props;
  const found = useQuery({ ...listQuery(props.listed, 0), placeholderData: keepPreviousData });
  return (
    <>
      <ConditionButton
        entity={entity}
        where={state.where ?? []}
        onChange={(where) =>
          onChange({ where: where.length > 0 ? where : undefined, part: undefined })
        }
      />
      <ColumnMenu
        entity={entity}
        columns={columns}
        onChange={(chosen) => {
          onArrange({ columns: chosen });
          onChange({ columns: chosen.join(',') });
        }}
        onReset={() => {
          onArrange({ columns: undefined, widths: {} });
          onChange({ columns: undefined });
        }}
      />
      <ViewSwitch entity={entity} state={state} shown="list" />
      <MoreMenu {...props} total={found.data?.total ?? 0} requestPath={pathOf(search)} />
    </>
  );
}

function pathOf(search: ListSearch): string {
  return `/${search.entity}?searchParams=${encodeURIComponent(toSearchParams(search, 0))}`;
}
