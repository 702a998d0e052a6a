import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type ResponseOf } from '../../api/client.ts';
import type { Entity } from '../../api/metadata.ts';
import type { AnyRecord, Condition } from '../../api/records.ts';
import type { StreamItem } from '../../api/stream.ts';
import { attributesOf } from '../../fields/field-types.ts';
import { sortByDue } from '../../parts/due.ts';

export type ActivityItem = ResponseOf<'/Activities/upcoming'>['list'][number];

/** The lists of the home page are short; each links to the whole list. */
export const shownTasks = 10;
const shownActivities = 50;
const streamPageSize = 10;
const refetchInterval = 60_000;

/** Loads the user's activities of the next seven days, earliest first. */
export const upcomingQuery = queryOptions({
  queryKey: ['records', 'home', 'upcoming'],
  queryFn: async ({ signal }) => {
    const params = { query: { maxSize: shownActivities } };
    return bodyOf(api.GET('/Activities/upcoming', { params, signal }));
  },
  refetchInterval,
});

/**
 * Due dates of tasks are times or whole days, which are separate attributes. One search for each, because a list is
 * sorted by a single attribute.
 */
const dueSearches: readonly TaskSearch[] = [
  { orderBy: 'dateEnd', order: 'asc', where: [{ type: 'isNotNull', attribute: 'dateEnd' }] },
  {
    orderBy: 'dateEndDate',
    order: 'asc',
    where: [{ type: 'isNotNull', attribute: 'dateEndDate' }],
  },
  {
    orderBy: 'createdAt',
    order: 'desc',
    where: [
      { type: 'isNull', attribute: 'dateEnd' },
      { type: 'isNull', attribute: 'dateEndDate' },
    ],
  },
];

interface TaskSearch {
  readonly orderBy: string;
  readonly order: 'asc' | 'desc';
  readonly where: readonly Condition[];
}

/** Loads the user's open tasks, the one that is due first at the top, and at most one more than are shown. */
export function openTasksQuery({ owner, teams }: Entity, zone: string | undefined) {
  const shown = ['name', 'status', 'dateEnd', 'dateEndDate', 'parentId', 'parentType'];
  // The last two determine whether the user may edit a task.
  const select = [...shown, 'parentName', owner, ...(teams === undefined ? [] : [teams])];
  return queryOptions({
    queryKey: ['records', 'Task', 'home', select, zone],
    queryFn: async ({ signal }): Promise<readonly AnyRecord[]> => {
      const lists = await Promise.all(
        dueSearches.map(async (search) => searchTasks({ ...search, select }, signal)),
      );
      return sortByDue(lists.flat(), zone).slice(0, shownTasks + 1);
    },
    refetchInterval,
  });
}

async function searchTasks(
  wanted: TaskSearch & { readonly select: readonly string[] },
  signal: AbortSignal,
): Promise<readonly AnyRecord[]> {
  const search = {
    ...wanted,
    primaryFilter: 'actual',
    boolFilterList: ['onlyMy'],
    maxSize: shownTasks + 1,
  };
  const query = { searchParams: JSON.stringify(search) as never };
  const header = { 'X-No-Total': 'true' as const };
  const params = { path: { entity: 'Task' }, query, header };
  return (await bodyOf(api.GET('/{entity}', { params, signal }))).list;
}

const shownOpportunities = 5;

/** Loads the user's open opportunities that close first, with the fields that the user may read. */
export function openOpportunitiesQuery(entity: Entity) {
  const shown = ['stage', 'amount', 'account', 'closeDate'].filter((name) => name in entity.fields);
  const search = {
    select: ['name', ...shown.flatMap((name) => attributesOf(entity, name))],
    primaryFilter: 'open',
    boolFilterList: ['onlyMy'],
    ...(shown.includes('closeDate') ? { orderBy: 'closeDate', order: 'asc' } : {}),
    maxSize: shownOpportunities,
  };
  return queryOptions({
    queryKey: ['records', entity.name, 'home', search],
    queryFn: async ({ signal }) => {
      const query = { searchParams: JSON.stringify(search) as never };
      const header = { 'X-No-Total': 'true' as const };
      const params = { path: { entity: entity.name }, query, header };
      return (await bodyOf(api.GET('/{entity}', { params, signal }))).list;
    },
    enabled: entity.filters.includes('open'),
    refetchInterval,
  });
}

/** Loads the posts and changes of the records that the user follows, newest first. */
export const ownStreamQuery = infiniteQueryOptions({
  queryKey: ['records', 'home', 'stream'],
  queryFn: async ({ pageParam, signal }): Promise<readonly StreamItem[]> => {
    const older = pageParam === 0 ? {} : { beforeNumber: pageParam };
    const params = { query: { maxSize: streamPageSize, ...older } };
    return (await bodyOf(api.GET('/Stream', { params: params as never, signal }))).list;
  },
  initialPageParam: 0,
  getNextPageParam: (list) => (list.length < streamPageSize ? undefined : list.at(-1)?.number),
  refetchInterval,
});
