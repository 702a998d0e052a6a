import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import { panelsIn } from './layouts.ts';
import type { components } from './schema.d.ts';

export type AnyRecord = Readonly<Record<string, unknown>> & { readonly id: string };
export type Condition = components['schemas']['whereItem'];

export interface ListSearch {
  readonly entity: string;
  readonly select: readonly string[];
  readonly orderBy: string;
  readonly order: 'asc' | 'desc';
  readonly textFilter: string;
  readonly where: readonly Condition[];
}

interface ListPage {
  readonly total: number;
  readonly list: readonly AnyRecord[];
}

export const pageSize = 100;

/** Returns the query string for one page of a search. Pages are numbered from 0. */
export function toSearchParams(search: ListSearch, page: number): string {
  const { entity: _, textFilter, ...others } = search;
  return JSON.stringify({
    ...others,
    maxTextAttributeLength: 200,
    offset: page * pageSize,
    maxSize: pageSize,
    ...(textFilter === '' ? {} : { textFilter }),
  });
}

/** Loads one page of a list. Pages are numbered from 0. */
export function listQuery(search: ListSearch, page: number) {
  return queryOptions({
    queryKey: ['records', search.entity, 'list', search, page],
    queryFn: async ({ signal }): Promise<ListPage> => {
      const query = { searchParams: toSearchParams(search, page) as never };
      const params = { path: { entity: search.entity }, query };
      return bodyOf(api.GET('/{entity}', { params, signal }));
    },
  });
}

/** Shows the loaded values of a record in the open lists, which may still be loading them. */
export function updateLists(queries: QueryClient, entity: string, { record }: ReadRecord): void {
  const update = (listed: AnyRecord): AnyRecord =>
    listed.id === record.id
      ? {
          ...listed,
          ...Object.fromEntries(Object.keys(listed).map((name) => [name, record[name]])),
        }
      : listed;
  queries.setQueriesData<ListPage>(
    { queryKey: ['records', entity, 'list'], type: 'active' },
    (page) => page && { ...page, list: page.list.map(update) },
  );
}

/** The number of records that an input suggests. */
const offeredRecords = 20;

/**
 * Loads the first records that match a text, without a total. `select` contains the attributes to show in addition to
 * the name.
 */
export function offeredQuery(entity: string, text: string, select: readonly string[]) {
  const search = {
    select: ['name', ...select],
    orderBy: 'name',
    order: 'asc',
    maxSize: offeredRecords,
    ...(text === '' ? {} : { textFilter: text }),
  };
  return queryOptions({
    queryKey: ['records', entity, 'offered', search],
    queryFn: async ({ signal }): Promise<readonly AnyRecord[]> => {
      const query = { searchParams: JSON.stringify(search) as never };
      const header = { 'X-No-Total': 'true' as const };
      const params = { path: { entity }, query, header };
      return (await bodyOf(api.GET('/{entity}', { params, signal }))).list;
    },
  });
}

/** Loads the names of records by id. Omits deleted records and records without read access. */
export function namesQuery(entity: string, ids: readonly string[]) {
  const search: ListSearch = {
    entity,
    select: ['name'],
    orderBy: 'id',
    order: 'asc',
    textFilter: '',
    where: [{ type: 'in', attribute: 'id', value: [...ids] }],
  };
  return queryOptions({
    ...listQuery(search, 0),
    select: toNames,
    enabled: ids.length > 0,
  });
}

/** Not inline: a new function at each render would select again, and useQueries() would render again. */
function toNames({ list }: { readonly list: readonly AnyRecord[] }): ReadonlyMap<string, unknown> {
  return new Map(list.map(({ id, name }) => [id, name]));
}

/** A record with the ETag of its version. */
export interface ReadRecord {
  readonly record: AnyRecord;
  readonly tag: string;
}

export function recordQuery(entity: string, id: string) {
  return queryOptions({
    queryKey: ['records', entity, 'record', id],
    queryFn: async ({ signal }) => readRecord(entity, id, signal),
  });
}

export async function readRecord(
  entity: string,
  id: string,
  signal: AbortSignal,
): Promise<ReadRecord> {
  const path = { entity, id };
  // Stars and followers change without the version, for which the browser would reuse its copy.
  const cache = 'no-store';
  const { data, response } = await api.GET('/{entity}/{id}', { params: { path }, signal, cache });
  return { record: data as AnyRecord, tag: response.headers.get('ETag') ?? '' };
}

type Values = Readonly<Record<string, unknown>>;

export async function createRecord(
  entity: string,
  values: Values,
  {
    skipDuplicateCheck = false,
    key,
  }: { readonly skipDuplicateCheck?: boolean; readonly key?: string } = {},
): Promise<AnyRecord> {
  const header = {
    ...(skipDuplicateCheck ? { 'X-Skip-Duplicate-Check': 'true' as const } : {}),
    ...keyHeader(key),
  };
  const params = { path: { entity }, header: header as never };
  return bodyOf(api.POST('/{entity}', { params, body: values })) as Promise<AnyRecord>;
}

/** Repeating the request with the same key and input writes only once. */
function keyHeader(key: string | undefined) {
  return key === undefined ? {} : { 'Idempotency-Key': key };
}

interface UpdatedRecord {
  readonly entity: string;
  readonly id: string;
  readonly tag?: string;
  readonly key?: string;
}

/** Fails with 412 if the record has changed since the tagged version. */
export async function updateRecord(
  { entity, id, tag, key }: UpdatedRecord,
  values: Values,
): Promise<AnyRecord> {
  const header = { ...(tag === undefined ? {} : { 'If-Match': tag }), ...keyHeader(key) };
  const params = { path: { entity, id }, header };
  return bodyOf(
    api.PATCH('/{entity}/{id}', { params, body: values as never }),
  ) as Promise<AnyRecord>;
}

export async function removeRecord(entity: string, id: string): Promise<void> {
  await api.DELETE('/{entity}/{id}', { params: { path: { entity, id } } });
}

export async function restoreRecord(entity: string, id: string): Promise<void> {
  await api.POST('/{entity}/action/restoreDeleted', {
    params: { path: { entity } },
    body: { id },
  });
}

/** Loads the layout of a record's fields, without fields that the user's role hides. */
export function panelsQuery(entity: string) {
  return queryOptions({
    queryKey: ['layout', entity, 'detail'],
    queryFn: async () => {
      const layout = await bodyOf(
        api.GET('/{entity}/layout/detail', { params: { path: { entity } } }),
      );
      return panelsIn('detail', layout).map(({ label, customLabel, fields }) => ({
        label: customLabel ?? label,
        names: fields.map(({ name }) => name),
        wide: fields.flatMap(({ name, fullWidth }) => (fullWidth === true ? [name] : [])),
      }));
    },
    staleTime: 60_000,
  });
}

/** Loads the default columns of a list. */
export function columnsQuery(entity: string) {
  return queryOptions({
    queryKey: ['layout', entity, 'list'],
    queryFn: async () => {
      const layout = await bodyOf(
        api.GET('/{entity}/layout/list', { params: { path: { entity } } }),
      );
      return panelsIn('list', layout).flatMap(({ fields }) => fields.map(({ name }) => name));
    },
    staleTime: 60_000,
  });
}

/** Maximum number of records in a merge, including the target. */
export const maxMergedRecords = 51;

/**
 * Merges the sources into the target and sets the attributes. Returns the id of the change, which can be used to undo
 * it.
 */
export async function mergeRecords(
  entity: string,
  merge: {
    readonly targetId: string;
    readonly sourceIds: readonly string[];
    readonly attributes: Readonly<Record<string, unknown>>;
  },
): Promise<string> {
  const params = { path: { entity } };
  const { response } = await api.POST('/{entity}/action/merge', { params, body: merge as never });
  const version = /\d+/.exec(response.headers.get('ETag') ?? '')?.[0];
  return `${entity}/${merge.targetId}/${version}`;
}
