import { decideCreate, decideUpdate } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { AppendTarget } from '../forwarding/append.ts';
import type { ExistingWriteRequest } from '../forwarding/write-request.ts';

/** What a user sets for a record. Plain data: it travels. */
export interface Marks {
  readonly entityType: string;
  readonly entityId: string;
  readonly userId: string;
  readonly isFollowed?: boolean;
  readonly isStarred?: boolean;
  /** To a post: one type of reaction, taken on or off. */
  readonly reaction?: { readonly type: string; readonly isSet: boolean };
}

/**
 * Writes the subscription of a user to a record, whose id the request has. It is never deleted, only set otherwise:
 * unfollowing has to be remembered, since creators and assigned users follow as long as nothing else was said.
 */
export function decideMark({
  id,
  body,
}: Pick<ExistingWriteRequest<Marks>, 'id' | 'body'>): AppendTarget {
  const { entityType, entityId, userId, reaction, ...flags } = body;
  return {
    id,
    isCreation: false,
    decide: (state) => {
      const set = { ...flags, ...reactionsAfter(state, reaction) };
      return state === undefined
        ? decideCreate(undefined, { entityType, entityId, userId, ...set })
        : decideUpdate(state, set);
    },
  };
}

function reactionsAfter(
  state: RecordState | undefined,
  reaction: Marks['reaction'],
): { readonly reactions?: readonly string[] } {
  if (reaction === undefined) return {};
  const before = state?.values['reactions'];
  const others = (Array.isArray(before) ? before.map(String) : []).filter(
    (type) => type !== reaction.type,
  );
  return { reactions: reaction.isSet ? [...others, reaction.type].toSorted() : others };
}
