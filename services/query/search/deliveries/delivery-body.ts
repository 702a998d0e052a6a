import type { Actor } from '../../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../../shared/domain/directory/directory.ts';
import { UnreadableMessage } from '../../../../shared/domain/errors.ts';
import type { RecordState } from '../../../../shared/domain/record/record-state.ts';
import { toWebhook } from '../../../../shared/domain/webhook/record/webhook.ts';
import { showWebhookBody } from '../../../../shared/events/build-webhook-body.ts';
import { eventsForReader } from '../../../../shared/events/events-for-receiver.ts';
import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';

/** The body that was sent, with what the reader may read today; null if that cannot be determined. */
export function deliveryBody(
  actor: Actor,
  { webhook, batch }: { readonly webhook: RecordState; readonly batch: WebhookBatch },
  directory: Pick<Directory, 'entity'>,
): unknown {
  const { entityType, type, field } = toWebhook(webhook);
  const model = directory.entity(entityType);
  if (model === undefined) return null;
  try {
    const events = eventsForReader(batch.events, { actor, model, type, field }, directory);
    return showWebhookBody({ ...batch, events });
  } catch (error) {
    if (error instanceof UnreadableMessage) return null;
    throw error;
  }
}
