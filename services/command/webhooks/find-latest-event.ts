import { placeBefore, readPastEvents } from '../../../shared/db/read-past-events.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import { matchWebhook } from '../../../shared/domain/match/match-event.ts';
import {
  isRelationType,
  type Webhook,
  type WebhookEventType,
} from '../../../shared/domain/webhook/record/webhook.ts';
import { toWebhookEvent } from '../../../shared/events/build-webhook-body.ts';
import { eventsForReceiver } from '../../../shared/events/events-for-receiver.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import type { WebhookEvent } from '../../../shared/events/webhook-batch-codec.ts';
import type { CommandContext } from '../context.ts';

type Context = Pick<CommandContext, 'directory' | 'now' | 'searchPool'>;

/** What happened to a record in the events of a type. Several event types can change a link. */
const changes: Readonly<Record<WebhookEventType, string | undefined>> = {
  create: 'created',
  update: 'updated',
  fieldUpdate: 'updated',
  delete: 'deleted',
  relate: undefined,
  unrelate: undefined,
};

/**
 * Finds the latest event that the webhook would send, as its user may read it now. Returns undefined if no such event
 * exists, or if it is too old to be found within two seconds. Searches on the connections of the actor.
 */
export async function findLatestEvent(
  { directory, now, searchPool }: Context,
  actor: Actor,
  webhook: Webhook,
): Promise<WebhookEvent | undefined> {
  const { type, entityType } = webhook;
  const shownOf = (event: LoggedEvent): WebhookEvent | undefined => {
    const match = matchWebhook(directory, webhook, event);
    if (match === undefined) return undefined;
    const whole = {
      ...toWebhookEvent(event, match.data),
      previous: JSON.stringify(match.previous),
    };
    return eventsForReceiver([whole], webhook, directory)[0];
  };
  // The record on either side of a link can hold it.
  const holders = directory.entities().filter(({ definition }) => definition.log !== 'directory');
  const { events } = await readPastEvents(searchPool.of(actor), {
    filter: { entityType: undefined, id: undefined, userId: undefined, type: changes[type] },
    entityTypes: isRelationType(type) ? holders.map(({ name }) => name) : [entityType],
    accepts: (event) => shownOf(event) !== undefined,
    from: 0,
    before: placeBefore(now() + 1),
    maxSize: 1,
  });
  return events[0] && shownOf(events[0].event);
}
