import { type Actor, accessLevel } from '../access/actor.ts';
import type { RecordState } from '../record/record-state.ts';
import { toWebhook } from './record/webhook.ts';

/**
 * True if the actor may learn about events that the webhook does not send, such as their number. It reveals when records
 * change that the actor may not read.
 */
export function seesHidden(actor: Actor, webhook: RecordState): boolean {
  const level = accessLevel(actor, toWebhook(webhook).entityType, 'read');
  return level === 'all' || level === 'yes';
}
