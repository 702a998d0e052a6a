import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import {
  streamSubscriptionType,
  subscriptionId,
} from '../../../shared/domain/stream/stream-subscription.ts';
import type { CommandContext } from '../context.ts';
import type { Command, CommandAnswer } from '../owner/command.ts';
import { type MarkChange, markCommand } from './stream-commands.ts';

interface Marking {
  readonly model: EntityModel;
  readonly id: string;
  readonly userId: string;
  readonly marks: MarkChange;
}

interface CheckedMarking {
  readonly id: string;
  readonly userId?: string;
  readonly marks: MarkChange;
  /** Rejects users who do not see the record's stream (`requireStreamAccess`). */
  readonly check: () => Promise<unknown>;
}

/**
 * Sets or removes following, a star or a reaction of one user for one record. The user is the actor unless `userId` is
 * given. `command` has the entity type of the record, the actor, the idempotency key and the deadline.
 */
export async function markRecord(
  command: Command,
  { check, ...marking }: CheckedMarking,
  context: CommandContext,
): Promise<CommandAnswer> {
  const { model, actor } = command;
  const ofUser = { model, userId: actor.id, ...marking };
  const { body, ...ofSubscription } = markCommandFor(ofUser, context.directory.entity);
  return context.sender.sendPlanned(markCommand, {
    ...command,
    ...ofSubscription,
    async plan() {
      await check();
      return body;
    },
    conditions: {},
  });
}

/** Returns the command that changes the user's subscription to the record. */
export function markCommandFor({ model, id, userId, marks }: Marking, findModel: FindModel) {
  const subscription = findModel(streamSubscriptionType);
  if (subscription === undefined) throw new Error('no entity type StreamSubscription');
  const entityType = model.name;
  return {
    model: subscription,
    id: subscriptionId({ entityType, recordId: id, userId }),
    body: { entityType, entityId: id, userId, ...marks },
  };
}
