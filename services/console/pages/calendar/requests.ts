import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, bodyOf, type ResponseOf } from '../../api/client.ts';
import { type Condition, listQuery } from '../../api/records.ts';

export type CalendarItem = ResponseOf<'/Timeline'>[string][number];

interface TimelineSearch {
  /** In UTC. */
  readonly from: string;
  readonly to: string;
  readonly userIds: readonly string[];
  readonly entityTypes: readonly string[];
}

/** Loads the activities of users between two times, by user id. */
export function timelineQuery({ from, to, userIds, entityTypes }: TimelineSearch) {
  return queryOptions({
    // A change to any record can affect the calendar.
    queryKey: ['records', 'calendar', from, to, userIds, entityTypes],
    queryFn: async ({ signal }): Promise<Readonly<Record<string, readonly CalendarItem[]>>> => {
      const query = { from, to, userIdList: [...userIds], scopeList: [...entityTypes] };
      return bodyOf(api.GET('/Timeline', { params: { query: query as never }, signal }));
    },
    placeholderData: keepPreviousData,
    enabled: entityTypes.length > 0 && from !== '',
  });
}

/** Loads the names of users. Omits deleted users and users without read access. */
export function userNamesQuery(ids: readonly string[]) {
  const where: readonly Condition[] = [{ type: 'in', attribute: 'id', value: [...ids] }];
  const search = { select: ['name'], orderBy: 'id', order: 'asc', textFilter: '', where } as const;
  return { ...listQuery({ entity: 'User', ...search }, 0), enabled: ids.length > 0 };
}
