import type { Directory } from '../../../shared/domain/directory/directory.ts';
import type { EntityModel } from '../../../shared/domain/entity/entity-model.ts';
import {
  streamSubscriptionType,
  subscriptionId,
} from '../../../shared/domain/stream/stream-subscription.ts';
import type { Marks } from '../commands/mark-command.ts';
import type { RouteCommand, RoutedAnswer, RoutedCommand } from '../forward/route-commands.ts';

interface MarkDeps {
  readonly directory: Pick<Directory, 'entity'>;
  readonly route: RouteCommand;
}

/** Which record, for whom, and what is set. */
interface Marking {
  readonly model: EntityModel;
  readonly id: string;
  readonly userId: string;
  readonly marks: Pick<Marks, 'isFollowed' | 'isStarred'>;
}

/**
 * Follows or stars one record for one user, or no longer does. The caller has asked whether the record's stream is open
 * to that user (`requireStreamAccess`). `command` says who acts, under which key and by when.
 */
export async function markRecord(
  command: Pick<
    RoutedCommand,
    'actor' | 'commandId' | 'commandHash' | 'deadline' | 'untilReadable'
  >,
  { model, id, userId, marks }: Marking,
  { directory, route }: MarkDeps,
): Promise<RoutedAnswer> {
  const subscription = directory.entity(streamSubscriptionType);
  if (subscription === undefined) throw new Error('subscriptions are not defined');
  const { actor, commandId, commandHash, deadline, untilReadable } = command;
  const entityType = model.name;
  return route({
    action: 'mark',
    actor,
    model: subscription,
    id: subscriptionId({ entityType, recordId: id, userId }),
    body: { entityType, entityId: id, userId, ...marks },
    conditions: {},
    commandId,
    commandHash,
    deadline,
    untilReadable,
  });
}
