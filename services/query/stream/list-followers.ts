import { followingColumn } from '../../../shared/db/sql/following-column.ts';
import {
  type FollowingFacts,
  followerIds,
  openFacts,
} from '../../../shared/domain/stream/following.ts';
import type { SearchDeps } from '../search/rows/finish-rows.ts';
import type { RecordQuery } from '../search/rows/require-readable.ts';
import { compareNames } from '../search/users/compare-names.ts';
import { openStream } from './open-stream.ts';

interface Follower {
  readonly id: string;
  readonly name: string | null;
}

export type ListFollowers = (
  query: RecordQuery,
  page: { readonly offset: number; readonly maxSize: number },
) => Promise<{ readonly total: number; readonly list: readonly Follower[] }>;

/** The users who follow a record, by name. Refuses unless the actor sees its stream. */
export function createListFollowers(deps: SearchDeps): ListFollowers {
  const { directory } = deps;
  return async (query, { offset, maxSize }) => {
    const { model } = query;
    const facts = followingColumn(model, 'r', undefined);
    const row = await openStream(deps, query, `${facts} as following`);
    const ids = followerIds(openFacts(row['following'] as FollowingFacts, query));
    const followers = ids.flatMap((id) => {
      const user = directory.record('User', id);
      if (user === undefined || user.deleted) return [];
      const { name } = user.values;
      return [{ id, name: typeof name === 'string' ? name : null }];
    });
    const sorted = followers.toSorted((left, right) => compareNames(left, right));
    return { total: sorted.length, list: sorted.slice(offset, offset + maxSize) };
  };
}
