import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import type { components } from './schema.d.ts';

/** The parts of a notification that the console shows. */
export type Notification = Pick<
  components['schemas']['notification'],
  | 'createdAt'
  | 'createdByName'
  | 'id'
  | 'isFeatured'
  | 'noteData'
  | 'read'
  | 'relatedParentId'
  | 'relatedParentName'
  | 'relatedParentType'
  | 'type'
>;

export const unreadKey = ['notifications', 'unread'] as const;
const checkEveryMs = 60_000;

/** Counts the unread notifications, again every minute while the page is visible. The server stops at 100. */
export const unreadQuery = queryOptions({
  queryKey: unreadKey,
  queryFn: async ({ signal }) => bodyOf(api.GET('/Notification/action/notReadCount', { signal })),
  refetchInterval: checkEveryMs,
  staleTime: checkEveryMs / 2,
});

const shownUnread = 5;

/** Loads the newest unread notifications without marking them as read. */
export const latestUnreadQuery = queryOptions({
  queryKey: [...unreadKey, 'latest'],
  queryFn: async ({ signal }) => {
    const query = { onlyUnread: true, maxSize: shownUnread };
    return (await bodyOf(api.GET('/Notification', { params: { query }, signal }))).list;
  },
  refetchInterval: checkEveryMs,
});

const pageSize = 20;

/**
 * Loads the notifications, newest first. The server marks them as read, but returns their previous state. They are
 * therefore loaded once each time they are shown.
 */
export const notificationsQuery = infiniteQueryOptions({
  queryKey: ['notifications', 'list'],
  queryFn: async ({ pageParam, signal }) => {
    const older = pageParam === 0 ? {} : { beforeNumber: pageParam };
    const query = { maxSize: pageSize, ...older };
    return bodyOf(api.GET('/Notification', { params: { query }, signal }));
  },
  initialPageParam: 0,
  getNextPageParam: ({ total, list }) => (total === -1 ? list.at(-1)?.number : undefined),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
});

export async function markAllRead(): Promise<void> {
  await api.POST('/Notification/action/markAllRead');
}
