import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { components } from './schema.d.ts';

export type AnyRecord = Readonly<Record<string, unknown>> & { readonly id: string };
export type Condition = components['schemas']['whereItem'];

/** What of an entity type is asked for. */
export interface ListSearch {
  readonly entity: string;
  readonly select: readonly string[];
  readonly orderBy: string;
  readonly order: 'asc' | 'desc';
  readonly textFilter: string;
  readonly where: readonly Condition[];
}

export interface ListPage {
  readonly total: number;
  readonly list: readonly AnyRecord[];
}

export const pageSize = 100;

/** One page of a list, the first being 0. */
export function listQuery(search: ListSearch, page: number) {
  return queryOptions({
    queryKey: ['records', search.entity, 'list', search, page],
    queryFn: async ({ signal }): Promise<ListPage> => {
      const { entity, textFilter, select, ...others } = search;
      const asked = {
        ...others,
        attributeSelect: select,
        maxTextAttributeLength: 200,
        offset: page * pageSize,
        maxSize: pageSize,
        ...(textFilter === '' ? {} : { textFilter }),
      };
      const query = { searchParams: JSON.stringify(asked) as never };
      return bodyOf(api.GET('/{entity}', { params: { path: { entity }, query }, signal }));
    },
  });
}

/** The columns that a list begins with. */
export function columnsQuery(entity: string) {
  return queryOptions({
    queryKey: ['layout', entity, 'list'],
    queryFn: async () => {
      const layout = await bodyOf(
        api.GET('/{entity}/layout/list', { params: { path: { entity } } }),
      );
      return layout.map(({ name }) => name);
    },
    staleTime: 60_000,
  });
}
