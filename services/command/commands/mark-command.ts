import { decideCreate, decideUpdate } from '../../../shared/domain/record/decide.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import type { Append } from './append.ts';
import type { Executed, ExistingWriteRequest } from './write-request.ts';

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

/** `body` is Marks, and the id that of their subscription. Who may set them is for the caller to ask. */
export type MarkCommand = (request: ExistingWriteRequest) => Promise<Executed>;

/**
 * Writes the subscription of a user to a record. It is never deleted, only set otherwise: unfollowing has to be
 * remembered, since creators and assigned users follow as long as nothing else was said.
 */
export function createMarkCommand(append: Append): MarkCommand {
  return (request) => {
    const marks = request.body as unknown as Marks;
    const { entityType, entityId, userId, reaction, ...flags } = marks;
    return append(request, {
      id: request.id,
      isCreation: false,
      decide: (state) => {
        const set = { ...flags, ...reactionsAfter(state, reaction) };
        return state === undefined
          ? decideCreate(undefined, { entityType, entityId, userId, ...set })
          : decideUpdate(state, set);
      },
    });
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
