import { Refusal } from '../../../shared/domain/errors.ts';
import { decideWrite } from '../../../shared/domain/record/decide.ts';
import { idsIn } from '../../../shared/domain/record/ids-in.ts';
import { MAX_PINS } from '../../../shared/domain/stream/stream-subscription.ts';
import { defineChange } from '../owner/define-command.ts';
import { asFlag, asListOf, asObject, asText, optional } from '../owner/read-body.ts';

/** A change to a user's settings for a record. Instances exchange it as JSON. */
export interface Marks extends MarkChange {
  readonly entityType: string;
  readonly entityId: string;
  readonly userId: string;
}

export interface MarkChange {
  readonly isFollowed?: boolean;
  readonly isStarred?: boolean;
  /** A reaction to a post, added or removed. */
  readonly reaction?: { readonly type: string; readonly isSet: boolean };
}

/** Pins or unpins a post in the stream of a record. Instances exchange it as JSON. */
interface Pinning {
  readonly entityType: string;
  readonly entityId: string;
  readonly noteId: string;
  readonly isPinned: boolean;
  /** Ids of deleted pinned posts, which do not count towards the limit. */
  readonly goneIds: readonly string[];
}

/**
 * Changes a user's subscription to a record. The id of the command is the id of the subscription. The sender checks the
 * permissions. Subscriptions are never deleted: unfollowing has to be stored, because creators and assigned users
 * follow by default.
 */
export const markCommand = defineChange({
  name: 'mark',
  readBody: asObject<Marks>({
    entityType: asText,
    entityId: asText,
    userId: asText,
    isFollowed: optional(asFlag),
    isStarred: optional(asFlag),
    reaction: optional(asObject<NonNullable<Marks['reaction']>>({ type: asText, isSet: asFlag })),
  }),
  decide(state, { body: { reaction, ...marked } }) {
    const reactions = reactionsAfter(state?.values['reactions'], reaction);
    return decideWrite(state, { ...marked, ...reactions });
  },
});

/**
 * Changes the pins of a record. The sender checks the permissions. The limit is exact, because one owner decides all
 * changes to the pins.
 */
export const pinCommand = defineChange({
  name: 'pin',
  readBody: asObject<Pinning>({
    entityType: asText,
    entityId: asText,
    noteId: asText,
    isPinned: asFlag,
    goneIds: asListOf(asText),
  }),
  decide(state, { body }) {
    const { entityType, entityId } = body;
    return decideWrite(state, {
      entityType,
      entityId,
      noteIds: pinsAfter(state?.values['noteIds'], body),
    });
  },
});

function reactionsAfter(
  before: unknown,
  reaction: Marks['reaction'],
): { readonly reactions?: readonly string[] } {
  if (reaction === undefined) return {};
  const others = idsIn(before).filter((type) => type !== reaction.type);
  return { reactions: reaction.isSet ? [...others, reaction.type].toSorted() : others };
}

/** Returns the new list of pins, in the order in which the posts were pinned. Idempotent. */
export function pinsAfter(
  before: unknown,
  { noteId, isPinned, goneIds }: Omit<Pinning, 'entityType' | 'entityId'>,
): readonly string[] {
  const pinned = idsIn(before);
  if (!isPinned) return pinned.filter((id) => id !== noteId);
  if (pinned.includes(noteId)) return pinned;
  const kept = pinned.filter((id) => !goneIds.includes(id));
  if (kept.length < MAX_PINS) return [...kept, noteId];
  throw new Refusal(
    'forbidden',
    'note.too_many_pins',
    `At most ${MAX_PINS} posts can be pinned in one stream.`,
  );
}
