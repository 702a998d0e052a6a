import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { AnyRecord, Condition } from './records.ts';
import type { components } from './schema.d.ts';
import type { StreamItem } from './stream.ts';

export type ActivityItem = components['schemas']['activityItem'];

/** The number of entries of each list on the home page. */
const shown = 10;
const refetchInterval = 60_000;

/** Loads the user's activities of the next seven days, earliest first. */
export const upcomingQuery = queryOptions({
  queryKey: ['records', 'home', 'upcoming'],
  queryFn: async ({ signal }): Promise<readonly ActivityItem[]> => {
    const params = { query: { maxSize: shown } };
    return (await bodyOf(api.GET('/Activities/upcoming', { params, signal }))).list;
  },
  refetchInterval,
});

/** Loads the user's open tasks, the one that is due first at the top. Tasks without a due date are last. */
export const openTasksQuery = queryOptions({
  queryKey: ['records', 'Task', 'home'],
  queryFn: async ({ signal }): Promise<readonly AnyRecord[]> => {
    const search = {
      select: ['name', 'status', 'dateEnd', 'dateEndDate', 'parentId', 'parentType', 'parentName'],
      primaryFilter: 'actual',
      boolFilterList: ['onlyMy'],
      orderBy: 'dateEnd',
      order: 'asc',
      maxSize: maxTasks,
    };
    const query = { searchParams: JSON.stringify(search) as never };
    const header = { 'X-No-Total': 'true' as const };
    const params = { path: { entity: 'Task' }, query, header };
    const { list } = await bodyOf(api.GET('/{entity}', { params, signal }));
    // Ascending order begins with empty dates.
    const isDue = ({ dateEnd }: AnyRecord) => typeof dateEnd === 'string';
    return [...list.filter(isDue), ...list.filter((task) => !isDue(task))].slice(0, shown);
  },
  refetchInterval,
});

const maxTasks = 100;

/** Loads the newest posts and changes of the records that the user follows. */
export const ownStreamQuery = queryOptions({
  queryKey: ['records', 'home', 'stream'],
  queryFn: async ({ signal }): Promise<readonly StreamItem[]> => {
    const params = { query: { maxSize: shown } };
    const page = await bodyOf(api.GET('/Stream', { params: params as never, signal }));
    return page.list as readonly StreamItem[];
  },
  refetchInterval,
});

/** Returns whether an entity type has more records than this number, of those that meet the conditions. */
export function hasMoreQuery(entity: string, count: number, where: readonly Condition[] = []) {
  return queryOptions({
    queryKey: ['records', entity, 'hasMore', count, where],
    queryFn: async ({ signal }): Promise<boolean> => {
      const search = { select: ['id'], maxSize: count + 1, where };
      const query = { searchParams: JSON.stringify(search) as never };
      const header = { 'X-No-Total': 'true' as const };
      const params = { path: { entity }, query, header };
      return (await bodyOf(api.GET('/{entity}', { params, signal }))).list.length > count;
    },
  });
}
