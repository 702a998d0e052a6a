import type { Pool } from 'pg';
import { orUnavailable } from '../../../shared/db/outage-of.ts';
import { nameStatement } from '../../../shared/db/pool.ts';
import { readRecordState } from '../../../shared/db/read-record-state.ts';
import { followingColumn, isLive, subscriptions } from '../../../shared/db/sql/following-column.ts';
import { liveTable } from '../../../shared/db/tables/read-model-names.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { perModel } from '../../../shared/domain/entity/model/per-model.ts';
import { isId } from '../../../shared/domain/field/types/link/read-link.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { FollowingFacts } from '../../../shared/domain/stream/following.ts';
import { streamPinsType } from '../../../shared/domain/stream/stream-subscription.ts';

/** Returns a live record; undefined if it is missing or deleted. */
type ReadLiveRecord = (model: EntityModel, id: string) => Promise<RecordState | undefined>;

/** Queries that stream actions run before the decision. */
export interface FollowingReads {
  readonly readRecord: ReadLiveRecord;
  readonly readFollowing: (model: EntityModel, id: string) => Promise<FollowingFacts | undefined>;
  /** Counts the starred records of a user, except the record of this subscription. */
  readonly countStarred: (userId: string, exceptId: string) => Promise<number>;
  /** Returns the ids of pinned posts that were deleted. `id` is the id of the pins. */
  readonly readGonePins: (id: string) => Promise<readonly string[]>;
}

const gonePins = `
  select n.id from ${liveTable('Note')} n
  where n.deleted and n.id in (select unnest(p.note_ids) from ${liveTable(streamPinsType)} p where p.id = $1)`;

function recordReader(pool: Pool, directory: Directory): ReadLiveRecord {
  return async (model, id) => {
    if (!isId(id)) return undefined;
    const state = await readRecordState(pool, { model, id }, directory.entity);
    return state?.deleted === false ? state : undefined;
  };
}

const followingOf = perModel((model) => {
  const facts = followingColumn(model, 'r', undefined);
  return nameStatement(`select ${facts} as facts from ${liveTable(model.name)} r where r.id = $1`);
});

export function createFollowingReads(pool: Pool, directory: Directory): FollowingReads {
  return {
    readRecord: recordReader(pool, directory),
    async readFollowing(model, id) {
      const { rows } = await orUnavailable(
        pool.query<{ facts: FollowingFacts }>({ ...followingOf(model), values: [id] }),
      );
      return rows[0]?.facts;
    },
    async countStarred(userId, exceptId) {
      const { rows } = await orUnavailable(
        pool.query<{ starred: number }>(
          `select count(*)::int as starred from ${subscriptions} s where ${isLive} and s.user_id = $1 and s.is_starred and s.id <> $2`,
          [userId, exceptId],
        ),
      );
      return rows[0]?.starred ?? 0;
    },
    async readGonePins(id) {
      const { rows } = await orUnavailable(pool.query<{ id: string }>(gonePins, [id]));
      return rows.map((row) => row.id);
    },
  };
}
