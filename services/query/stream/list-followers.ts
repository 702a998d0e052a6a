import { followingColumn } from '../../../shared/db/sql/following-column.ts';
import {
  type FollowingFacts,
  followerIds,
  openFacts,
} from '../../../shared/domain/stream/following.ts';
import { textOrNull } from '../../../shared/search/run-statement.ts';
import type { Page, PageOf } from '../lists/list-request.ts';
import { type Named, pageByName } from '../lists/page-by-name.ts';
import type { SearchDeps } from '../rows/finish-rows.ts';
import type { RecordQuery } from '../rows/require-readable.ts';
import { openStream } from './open-stream.ts';

/** Lists the users who follow a record, by name. Refuses the request if the actor may not see its stream. */
export async function listFollowers(
  deps: SearchDeps,
  query: RecordQuery,
  page: Page,
): Promise<PageOf<Named>> {
  const facts = followingColumn(query.model, 'r', undefined);
  const row = await openStream(deps, query, `${facts} as following`);
  const ids = followerIds(openFacts(row['following'] as FollowingFacts, query));
  const followers = ids.flatMap((id) => {
    const user = deps.directory.record('User', id);
    if (user === undefined || user.deleted) return [];
    return [{ id, name: textOrNull(user.values['name']) }];
  });
  return pageByName(followers, page);
}
