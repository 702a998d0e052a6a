import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { AnyRecord } from './records.ts';

export interface LinkPlace {
  readonly entity: string;
  readonly id: string;
  readonly link: string;
}

export const linkedPageSize = 50;

interface LinkedSearch {
  /** Pages are numbered from 0. */
  readonly page: number;
  readonly textFilter: string;
  /** Name of the sort field, prefixed with `-` for descending order; undefined for the default order. */
  readonly sort: string | undefined;
  readonly select: readonly string[];
}

/** Loads one page of the records in a link. */
export function linkedQuery(place: LinkPlace, search: LinkedSearch) {
  return queryOptions({
    queryKey: ['records', place.entity, 'linked', place, search],
    queryFn: async ({ signal }) => {
      const params = { path: { ...place }, query: toQuery(search) as never };
      const found = await bodyOf(api.GET('/{entity}/{id}/{link}', { params, signal }));
      return { total: found.total, list: found.list as readonly AnyRecord[] };
    },
  });
}

/** Loads one page of the records that were in the link at a time, with their values from then. `asOf` is an API time. */
export function pastLinkedQuery(place: LinkPlace, asOf: string, page: number) {
  return queryOptions({
    queryKey: ['records', place.entity, 'linked', place, { asOf, page }],
    queryFn: async ({ signal }) => {
      const query = { asOf, offset: page * linkedPageSize, maxSize: linkedPageSize };
      const params = { path: { ...place }, query };
      const found = await bodyOf(api.GET('/{entity}/{id}/{link}', { params, signal }));
      return { total: found.total, list: found.list as readonly AnyRecord[] };
    },
  });
}

function toQuery({ page, textFilter, sort, select }: LinkedSearch) {
  return {
    offset: page * linkedPageSize,
    maxSize: linkedPageSize,
    select: select.join(','),
    textFilter: textFilter.trim() === '' ? undefined : textFilter.trim(),
    orderBy: sort?.replace(/^-/, ''),
    order: sort === undefined ? undefined : sort.startsWith('-') ? 'desc' : 'asc',
  };
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

/** Loads the links of an entity type that lead to records the user may list. */
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
