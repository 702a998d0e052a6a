import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { Entity } from './metadata.ts';
import type { AnyRecord, Condition, ListSearch } from './records.ts';

/** The records of one status. */
export interface BoardGroup {
  readonly name: string;
  readonly total: number;
  readonly sum?: number | null;
  readonly list: readonly AnyRecord[];
}

export interface BoardSearch extends ListSearch {
  /** The attribute to sum for each group. */
  readonly sumOf?: string | undefined;
}

/** The server returns at most this many records of a group. */
export const largestGroup = 200;

/** Loads the groups of a board with up to `maxSize` records each. */
export function boardQuery(search: BoardSearch, maxSize: number, narrowing: readonly Condition[]) {
  return queryOptions({
    queryKey: ['records', search.entity, 'board', search, maxSize, narrowing],
    queryFn: async ({ signal }): Promise<readonly BoardGroup[]> => {
      const { entity, textFilter, sumOf, where, ...others } = search;
      const searchParams = JSON.stringify({
        ...others,
        where: [...where, ...narrowing],
        maxTextAttributeLength: 200,
        maxSize,
        ...(textFilter === '' ? {} : { textFilter }),
      });
      const query = {
        searchParams: searchParams as never,
        ...(sumOf === undefined ? {} : { sumOf }),
      };
      const params = { path: { entity }, query };
      const { groups } = await bodyOf(api.GET('/Kanban/{entity}', { params, signal }));
      return groups as unknown as readonly BoardGroup[];
    },
    placeholderData: keepPreviousData,
  });
}

/** Stores the order of the first cards in a group. */
export async function placeCards(
  entityType: string,
  group: string,
  ids: readonly string[],
): Promise<void> {
  await api.PUT('/Kanban/order', { body: { entityType, group, ids: [...ids] } });
}

/** Returns the field whose options are the groups of the type's board; undefined if the type has no board. */
export function boardFieldOf({ scope, fields }: Entity): string | undefined {
  const name = scope.statusField ?? '';
  const field = fields[name];
  const isChoice = field?.type === 'enum' && (field.options ?? []).some((one) => one !== '');
  return scope.object && isChoice ? name : undefined;
}
