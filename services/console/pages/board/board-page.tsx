import { Stack } from '@mantine/core';
import { useQueries, useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import {
  type BoardGroup,
  type BoardSearch,
  boardFieldOf,
  boardQuery,
  largestGroup,
} from '../../api/board.ts';
import { type Entity, useMetadata } from '../../api/metadata.ts';
import { columnsQuery } from '../../api/records.ts';
import { useUser } from '../../api/session.ts';
import { useSearchState } from '../../parts/list/search-state.ts';
import { LoadError } from '../../parts/page/load-error.tsx';
import { UnknownType } from '../../parts/page/no-access.tsx';
import { NotFound } from '../../parts/page/not-found.tsx';
import { Pending, PendingPage } from '../../parts/page/pending.tsx';
import { UnreadNotice } from '../../parts/unread-notice.tsx';
import { ConditionButton } from '../records/conditions/condition-button.tsx';
import { ConditionChips } from '../records/conditions/condition-chips.tsx';
import { ListHead } from '../records/list-head.tsx';
import { activeFilters, type ListState, listReaders, toSearch } from '../records/list-state.ts';
import { QuickFilterBar } from '../records/quick/quick-filter-bar.tsx';
import { ViewSwitch } from '../records/view-switch.tsx';
import { Board } from './board.tsx';

/** The records of an entity type in columns by status. */
export function BoardPage() {
  const { entity: name } = useParams({ from: '/board/$entity' });
  const entity = useMetadata().get(name);
  if (entity === undefined) return <UnknownType name={name} />;
  const field = boardFieldOf(entity);
  return field === undefined ? <NotFound /> : <BoardOf key={name} entity={entity} field={field} />;
}

type BoardState = Pick<ListState, 'filter' | 'q' | 'where'>;

const longestCard = 4;

function BoardOf({ entity, field }: { readonly entity: Entity; readonly field: string }) {
  const { user } = useUser();
  const readers = useMemo(() => {
    const { filter, q, where } = listReaders(entity);
    return { filter, q, where };
  }, [entity]);
  const [state, change] = useSearchState<BoardState>(readers);
  const layout = useQuery(columnsQuery(entity.name));
  if (layout.data === undefined) return <PendingPage title={entity.labelPlural} query={layout} />;
  const columns = layout.data.filter((name) => name !== 'name' && name !== field);
  const shown = columns.slice(0, longestCard);
  const search = toBoardSearch(state, { entity, columns: shown, userId: user.id });
  const setWhere = (where: NonNullable<BoardState['where']>): void =>
    change({ where: where.length > 0 ? where : undefined });
  return (
    <Stack p="md" gap="sm">
      <ListHead
        entity={entity}
        title={entity.labelPlural}
        search={state.q ?? ''}
        onSearch={(q) => change({ q })}
      >
        <ConditionButton entity={entity} where={state.where ?? []} onChange={setWhere} />
        <ViewSwitch entity={entity} state={state} shown="board" />
      </ListHead>
      <QuickFilterBar
        entity={entity}
        active={activeFilters(state.filter)}
        onChange={(active) => change({ filter: active.length > 0 ? active.join(',') : undefined })}
      />
      <ConditionChips entity={entity} where={state.where ?? []} onChange={setWhere} />
      <UnreadNotice entity={entity.name} />
      <LoadedBoard entity={entity} field={field} cardFields={shown} search={search} />
    </Stack>
  );
}

function toBoardSearch(
  state: Partial<BoardState>,
  options: {
    readonly entity: Entity;
    readonly columns: readonly string[];
    readonly userId: string;
  },
): BoardSearch {
  const { entity } = options;
  const money = Object.keys(entity.fields).find((name) => entity.fields[name]?.type === 'currency');
  const sumOf = money === undefined ? undefined : `${money}Converted`;
  const search = toSearch(state, options);
  const needed = [entity.owner, entity.teams, sumOf].filter((name) => name !== undefined);
  return { ...search, select: [...new Set(['name', ...search.select, ...needed])], sumOf };
}

/** The number of cards that a group shows at first, and that each click on "more" adds. */
const usualSize = 20;

function LoadedBoard(props: {
  readonly entity: Entity;
  readonly field: string;
  readonly cardFields: readonly string[];
  readonly search: BoardSearch;
}) {
  const { entity, field, cardFields, search } = props;
  const searched = JSON.stringify(search);
  const [grown, grow] = useState({ of: searched, sizes: new Map<string, number>() });
  const sizes = grown.of === searched ? grown.sizes : new Map<string, number>();
  const first = useQuery(boardQuery(search, usualSize, []));
  const larger = useQueries({
    queries: [...sizes].map(([group, size]) =>
      boardQuery(search, size, [{ type: 'in', attribute: field, value: [group] }]),
    ),
  });
  if (first.data === undefined) return <Pending query={first} height={320} />;
  const failed = [first, ...larger].find(({ error }) => error !== null);
  const lists = new Map(
    [...sizes.keys()].map((name, index) => [name, groupIn(larger[index]?.data, name)?.list]),
  );
  return (
    <>
      {failed === undefined ? null : (
        <LoadError error={failed.error} onRetry={() => void failed.refetch()} />
      )}
      <Board
        entity={entity}
        field={field}
        cardFields={cardFields}
        sumOf={search.sumOf}
        groups={first.data.map((group) => ({
          ...group,
          list: lists.get(group.name) ?? group.list,
        }))}
        onMore={(name, length) => {
          const size = Math.min(largestGroup, length + usualSize);
          grow({ of: searched, sizes: new Map([...sizes, [name, size]]) });
        }}
      />
    </>
  );
}

function groupIn(groups: readonly BoardGroup[] | undefined, name: string): BoardGroup | undefined {
  return groups?.find((group) => group.name === name);
}
