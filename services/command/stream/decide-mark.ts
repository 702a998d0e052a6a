import { decideWrite } from '../../../shared/domain/record/decide.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { WriteRequest } from '../owner/command.ts';
import type { Submission } from '../writer/submission.ts';

/** A change of a user's settings for a record. Instances exchange it as JSON. */
export interface Marks {
  readonly entityType: string;
  readonly entityId: string;
  readonly userId: string;
  readonly isFollowed?: boolean;
  readonly isStarred?: boolean;
  /** A reaction to a post, added or removed. */
  readonly reaction?: { readonly type: string; readonly isSet: boolean };
}

/**
 * Decides a change of a user's subscription to a record. The request has the subscription's id. Subscriptions are never
 * deleted: unfollowing has to be stored, because creators and assigned users follow by default.
 */
export function decideMark({ body }: WriteRequest<Marks>): Submission['decide'] {
  const { entityType, entityId, userId, reaction, ...flags } = body;
  const marked = { entityType, entityId, userId, ...flags };
  return (state) => decideWrite(state, { ...marked, ...reactionsAfter(state, reaction) });
}

function reactionsAfter(
  state: RecordState | undefined,
  reaction: Marks['reaction'],
): { readonly reactions?: readonly string[] } {
  if (reaction === undefined) return {};
  const before = state?.values['reactions'];
  const others = idsIn(before).filter((type) => type !== reaction.type);
  return { reactions: reaction.isSet ? [...others, reaction.type].toSorted() : others };
}
