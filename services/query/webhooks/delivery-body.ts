import type { SentDelivery } from '../../../shared/db/webhook-store.ts';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { UnreadableMessage } from '../../../shared/domain/errors.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { toWebhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { showWebhookBody } from '../../../shared/events/build-webhook-body.ts';
import { eventsForReader } from '../../../shared/events/events-for-receiver.ts';
import type { WebhookBatch, WebhookEvent } from '../../../shared/events/webhook-batch-codec.ts';

/** Returns a delivery without its number of hidden events. `batch` is set if no request was made. */
export function withoutHidden(
  actor: Actor,
  { webhook, delivery }: { readonly webhook: RecordState; readonly delivery: Counted },
  directory: Pick<Directory, 'entity'>,
) {
  const { hidden: _, batch, ...shown } = delivery;
  if (batch === undefined) return shown;
  return { ...shown, events: readableEvents(actor, { webhook, batch }, directory)?.length ?? 0 };
}

type Counted = SentDelivery & { readonly hidden?: number };

/** Returns the body that was sent, limited to what the reader may read today; null if that cannot be determined. */
export function deliveryBody(
  actor: Actor,
  { webhook, batch }: { readonly webhook: RecordState; readonly batch: WebhookBatch },
  directory: Pick<Directory, 'entity'>,
): unknown {
  const events = readableEvents(actor, { webhook, batch }, directory);
  return events === undefined ? null : showWebhookBody({ ...batch, events });
}

function readableEvents(
  actor: Actor,
  { webhook, batch }: { readonly webhook: RecordState; readonly batch: WebhookBatch },
  directory: Pick<Directory, 'entity'>,
): readonly WebhookEvent[] | undefined {
  const { entityType, type, field } = toWebhook(webhook);
  const model = directory.entity(entityType);
  if (model === undefined) return undefined;
  try {
    return eventsForReader(batch.events, { actor, model, type, field }, directory);
  } catch (error) {
    if (error instanceof UnreadableMessage) return undefined;
    throw error;
  }
}
