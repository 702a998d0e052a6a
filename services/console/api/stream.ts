import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from './client.ts';
import { mayReadUsers } from './rights.ts';
import type { components } from './schema.d.ts';
import type { AppUser } from './session.ts';

export type StreamItem = components['schemas']['streamItem'];

const pageSize = 30;

interface StreamPage {
  readonly list: readonly StreamItem[];
  readonly pinnedList: readonly StreamItem[];
}

export const streamFilters = ['all', 'posts', 'updates'] as const;
/** The kinds of items that a stream shows. */
export type StreamFilter = (typeof streamFilters)[number];

/** Loads the changes and posts of a record, newest first. */
export function streamQuery(entity: string, id: string, filter: StreamFilter) {
  return infiniteQueryOptions({
    queryKey: ['records', entity, 'stream', id, filter],
    queryFn: async ({ pageParam, signal }) => {
      const older = pageParam === 0 ? {} : { beforeNumber: pageParam };
      const params = { path: { entity, id }, query: { filter, maxSize: pageSize, ...older } };
      const page = await bodyOf(
        api.GET('/{entity}/{id}/stream', { params: params as never, signal }),
      );
      return page as StreamPage;
    },
    initialPageParam: 0,
    getNextPageParam: ({ list }) => (list.length < pageSize ? undefined : list.at(-1)?.number),
  });
}

export async function writePost(
  parent: { readonly entity: string; readonly id: string },
  written: { readonly post: string; readonly attachmentsIds: readonly string[] },
): Promise<void> {
  const { entity: parentType, id: parentId } = parent;
  await api.POST('/Note', { body: { type: 'Post', parentType, parentId, ...written } as never });
}

export interface MentionableUser {
  readonly id: string;
  readonly name: string;
  readonly userName: string;
}

const offeredUsers = 8;

/** Loads the first users who match a text, among those whom the signed-in user may mention. */
export function mentionableUsersQuery(session: AppUser, text: string) {
  const { user, acl } = session;
  const level: unknown = user.isAdmin ? 'all' : acl['mentionPermission'];
  const query = {
    select: 'name,userName',
    primaryFilter: 'active',
    ...(level === 'team' ? { boolFilterList: ['onlyMyTeam'] } : {}),
    textFilter: text,
    maxSize: offeredUsers,
  };
  return queryOptions({
    queryKey: ['records', 'User', 'mentionable', level, text],
    queryFn: async ({ signal }): Promise<readonly MentionableUser[]> => {
      const params = { path: { entity: 'User' }, query, header: { 'X-No-Total': 'true' } };
      const found = await bodyOf(api.GET('/{entity}', { params: params as never, signal }));
      return found.list as unknown as readonly MentionableUser[];
    },
    enabled: mayReadUsers(session) && (level === 'all' || level === 'team'),
  });
}

export async function setPinned(id: string, isPinned: boolean): Promise<void> {
  const params = { path: { id } };
  await (isPinned
    ? api.POST('/Note/{id}/pin', { params: params as never })
    : api.DELETE('/Note/{id}/pin', { params: params as never }));
}

export type Reaction = NonNullable<StreamItem['myReactions']>[number];

export async function setReaction(id: string, type: Reaction, isSet: boolean): Promise<void> {
  const params = { path: { id, type } };
  await (isSet
    ? api.POST('/Note/{id}/myReactions/{type}', { params: params as never })
    : api.DELETE('/Note/{id}/myReactions/{type}', { params: params as never }));
}

export async function setFollowing(entity: string, id: string, follows: boolean): Promise<void> {
  const params = { path: { entity, id } };
  await (follows
    ? api.PUT('/{entity}/{id}/subscription', { params })
    : api.DELETE('/{entity}/{id}/subscription', { params }));
}

export async function setStarred(entity: string, id: string, isStarred: boolean): Promise<void> {
  const params = { path: { entity, id } };
  await (isStarred
    ? api.PUT('/{entity}/{id}/starSubscription', { params })
    : api.DELETE('/{entity}/{id}/starSubscription', { params }));
}

const maxFollowers = 200;

/** Loads the followers of a record that the user may see. */
export function followersQuery(entity: string, id: string) {
  return queryOptions({
    queryKey: ['records', entity, 'followers', id],
    queryFn: async ({ signal }) => {
      const params = { path: { entity, id }, query: { maxSize: maxFollowers } };
      const found = await bodyOf(
        api.GET('/{entity}/{id}/followers', { params: params as never, signal }),
      );
      return found as { readonly total: number; readonly list: readonly Follower[] };
    },
  });
}

interface Follower {
  readonly id: string;
  readonly name: string | null;
}

/** Adds or removes followers of a record. */
export async function setFollowers(
  path: { readonly entity: string; readonly id: string },
  ids: readonly string[],
  follow: boolean,
): Promise<void> {
  const request = { params: { path }, body: { ids: [...ids] } } as never;
  await (follow
    ? api.POST('/{entity}/{id}/followers', request)
    : api.DELETE('/{entity}/{id}/followers', request));
}
