import type { Actor } from '../../../shared/domain/access/actor.ts';
import { actingUser } from '../../../shared/domain/directory/acting-user.ts';
import { isProblem, parseEventName } from '../../../shared/domain/directory/parse-event-name.ts';
import { requireWebhookScope } from '../../../shared/domain/directory/require-webhook.ts';
import { Refusal, validationFailure } from '../../../shared/domain/errors.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import {
  findPayloadFormat,
  payloadFormats,
} from '../../../shared/domain/webhook/format/payload-formats.ts';
import { toWebhook, type Webhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { showWebhookBody } from '../../../shared/events/build-webhook-body.ts';
import type { CommandContext } from '../context.ts';
import { findLatestEvent } from './find-latest-event.ts';
import { sampleBatch, testBatch } from './sample-batch.ts';
import { requireReadableEvents } from './webhook-rules.ts';

interface ExampleRequest {
  readonly event: string;
  /** The API user whose webhook would send the event; undefined for the actor, or for no user if it is an administrator. */
  readonly userId: string | undefined;
  readonly payloadFormat: string | undefined;
}

export interface EventExample {
  readonly event: string;
  /** True if the record is made up, because no such event was found. */
  readonly isSample: boolean;
  readonly occurredAt: string | null;
  readonly body: unknown;
}

/** Returns the body of a request with the latest event of this name, or with a made-up record. Sends nothing. */
export async function showEventExample(
  context: Pick<CommandContext, 'directory' | 'now' | 'searchPool'>,
  actor: Actor,
  request: ExampleRequest,
): Promise<EventExample> {
  const { event } = request;
  const webhook = requireImagined(context, actor, request);
  const latest = await findLatestEvent(context, actor, webhook);
  const batch =
    latest === undefined
      ? sampleBatch(context.directory, webhook, context.now())
      : testBatch(webhook, latest, context.now());
  return {
    event,
    isSample: latest === undefined,
    occurredAt: latest === undefined ? null : formatDateTime(latest.occurredAt),
    body: showWebhookBody(batch),
  };
}

/** Returns a webhook that is not stored, with the permissions of the one that the request describes. */
function requireImagined(
  { directory }: Pick<CommandContext, 'directory'>,
  actor: Actor,
  { event, userId, payloadFormat }: ExampleRequest,
): Webhook {
  requireWebhookScope(actor);
  const isAdmin = actor.type === 'admin';
  if (!isAdmin && userId !== undefined && userId !== actor.id) {
    throw new Refusal('forbidden', 'access.denied', 'No access to the events of this user.');
  }
  if (payloadFormat !== undefined && findPayloadFormat(payloadFormat) === undefined) {
    const message = `payloadFormat must be one of ${payloadFormats.map(({ name }) => name).join(', ')}.`;
    throw new Refusal('invalid', 'parameter.invalid', message);
  }
  const parsed = parseEventName(directory, event);
  if (isProblem(parsed)) throw validationFailure('Webhook', [parsed]);
  const ownerId = isAdmin ? (userId ?? null) : actor.id;
  const reader = ownerId === null ? actor : actingUser(directory, ownerId);
  if (reader === undefined) {
    throw new Refusal(
      'not_found',
      'record.not_found',
      'The user does not exist or is deactivated.',
    );
  }
  requireReadableEvents(reader, parsed, directory);
  const values = { ...parsed, event, userId: ownerId, payloadFormat: payloadFormat ?? 'records' };
  return toWebhook({ entityType: 'Webhook', id: 'example', version: 1, deleted: false, values });
}
