import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import {
  streamSubscriptionType,
  subscriptionId,
} from '../../../shared/domain/stream/stream-subscription.ts';
import type { Command, CommandAnswer, Sender } from '../forwarding/send-to-owner.ts';
import type { Marks } from './decide-mark.ts';
import { markCommand } from './stream-commands.ts';

/** The record, the user, and the setting. */
interface Marking {
  readonly model: EntityModel;
  readonly id: string;
  readonly userId: string;
  readonly marks: Pick<Marks, 'isFollowed' | 'isStarred' | 'reaction'>;
}

/**
 * Sets or removes following, a star or a reaction of one user, the actor unless another is named, for one record. The
 * caller has checked that the user sees the record's stream (`requireStreamAccess`). `command` has the entity type of the
 * record, the actor, the key and the deadline.
 */
export async function markRecord(
  command: Command,
  marking: Pick<Marking, 'id' | 'marks'> & Partial<Pick<Marking, 'userId'>>,
  { directory, sendToOwner }: Sender,
): Promise<CommandAnswer> {
  const { model, actor } = command;
  const ofUser = { model, userId: actor.id, ...marking };
  const ofSubscription = markCommandFor(ofUser, directory.entity);
  return sendToOwner(markCommand, { ...command, ...ofSubscription, conditions: {} });
}

/** The command that changes the user's subscription to the record. */
export function markCommandFor(
  { model, id, userId, marks }: Marking,
  findModel: FindModel,
): Pick<Command<Marks>, 'model' | 'body'> & { readonly id: string } {
  const subscription = findModel(streamSubscriptionType);
  if (subscription === undefined) throw new Error('subscriptions are not defined');
  const entityType = model.name;
  return {
    model: subscription,
    id: subscriptionId({ entityType, recordId: id, userId }),
    body: { entityType, entityId: id, userId, ...marks },
  };
}
