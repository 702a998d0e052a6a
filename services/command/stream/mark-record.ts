import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel, FindModel } from '../../../shared/domain/entity/model/entity-model.ts';
import {
  streamSubscriptionType,
  subscriptionId,
} from '../../../shared/domain/stream/stream-subscription.ts';
import type { Command, CommandAnswer, SendToOwner } from '../forwarding/send-to-owner.ts';
import type { Marks } from './decide-mark.ts';
import { markCommand } from './stream-commands.ts';

interface MarkDeps {
  readonly directory: Pick<Directory, 'entity'>;
  readonly sendToOwner: SendToOwner;
}

/** Which record, for whom, and what is set. */
interface Marking {
  readonly model: EntityModel;
  readonly id: string;
  readonly userId: string;
  readonly marks: Pick<Marks, 'isFollowed' | 'isStarred' | 'reaction'>;
}

/**
 * Follows or stars one record for one user, reacts to one, or no longer does. The caller has asked whether the record's stream is open
 * to that user (`requireStreamAccess`). `command` says who acts, under which key and by when.
 */
export async function markRecord(
  command: Pick<Command, 'actor' | 'commandId' | 'commandHash' | 'deadline' | 'untilReadable'>,
  marking: Marking,
  { directory, sendToOwner }: MarkDeps,
): Promise<CommandAnswer> {
  const { actor, commandId, commandHash, deadline, untilReadable } = command;
  const identity = { commandId, commandHash, deadline, untilReadable };
  return sendToOwner(markCommand, {
    ...markCommandFor(marking, directory.entity),
    actor,
    conditions: {},
    ...identity,
  });
}

/** What marking a record is in the log: a command to the subscription of this user. */
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
