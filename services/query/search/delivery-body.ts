import { type Actor, accessLevel } from '../../../shared/domain/access/actor.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { buildWebhookBody } from '../../../shared/events/build-webhook-body.ts';
import type { WebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';

/** What was sent, for a reader who may read every record of that entity type today; null for anybody else. */
export function deliveryBody(actor: Actor, webhook: RecordState, batch: WebhookBatch): unknown {
  const level = accessLevel(actor, String(webhook.values['entityType']), 'read');
  if (level !== 'all' && level !== 'yes') return null;
  return JSON.parse(buildWebhookBody(batch).toString('utf8'));
}
