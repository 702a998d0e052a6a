import { decideCreate, decideUpdate } from '../../../shared/domain/record/decide.ts';
import type { Append } from './append.ts';
import type { Executed, ExistingWriteRequest } from './write-request.ts';

/** What a user sets for a record. Plain data: it travels. */
export interface Marks {
  readonly entityType: string;
  readonly entityId: string;
  readonly userId: string;
  readonly isFollowed?: boolean;
  readonly isStarred?: boolean;
}

/** `body` is Marks, and the id that of their subscription. Who may set them is for the caller to ask. */
export type MarkCommand = (request: ExistingWriteRequest) => Promise<Executed>;

/**
 * Writes the subscription of a user to a record. It is never deleted, only set otherwise: unfollowing has to be
 * remembered, since creators and assigned users follow as long as nothing else was said.
 */
export function createMarkCommand(append: Append): MarkCommand {
  return (request) => {
    const { entityType, entityId, userId, ...flags } = request.body as unknown as Marks;
    return append(request, {
      id: request.id,
      isCreation: false,
      decide: (state) =>
        state === undefined
          ? decideCreate(undefined, { entityType, entityId, userId, ...flags })
          : decideUpdate(state, { ...flags }),
    });
  };
}
