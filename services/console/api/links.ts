import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { AnyRecord } from './records.ts';

export interface LinkPlace {
  readonly entity: string;
  readonly id: string;
  readonly link: string;
}

export const linkedPageSize = 50;

export function linkedQuery(place: LinkPlace, page: number) {
  return queryOptions({
    queryKey: ['records', place.entity, 'linked', place, page],
    queryFn: async ({ signal }) => {
      const query = { offset: page * linkedPageSize, maxSize: linkedPageSize };
      const params = { path: { ...place }, query };
      const found = await bodyOf(api.GET('/{entity}/{id}/{link}', { params, signal }));
      return { total: found.total, list: found.list as readonly AnyRecord[] };
    },
  });
}

/** Counts the records of a link. */
export function linkCountQuery(place: LinkPlace) {
  return queryOptions({
    queryKey: ['records', place.entity, 'linked', place, 'count'],
    queryFn: async ({ signal }) => {
      const params = { path: { ...place }, query: { maxSize: 1 } };
      const { total } = await bodyOf(api.GET('/{entity}/{id}/{link}', { params, signal }));
      return Number(total);
    },
  });
}

/** Loads the links of an entity type whose records the user's role may list. */
export function linksQuery(entity: string) {
  return queryOptions({
    queryKey: ['layout', entity, 'relationships'],
    queryFn: async () =>
      (await bodyOf(
        api.GET('/{entity}/layout/relationships', { params: { path: { entity } } }),
      )) as readonly string[],
    staleTime: 60_000,
  });
}

export async function linkRecord(place: LinkPlace, id: string): Promise<void> {
  await api.POST('/{entity}/{id}/{link}', {
    params: { path: { ...place } },
    body: { ids: [id] },
  });
}

export async function unlinkRecord(place: LinkPlace, id: string): Promise<void> {
  await api.DELETE('/{entity}/{id}/{link}', {
    params: { path: { ...place } },
    body: { ids: [id] },
  });
}
