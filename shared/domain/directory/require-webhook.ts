import { type Actor, accessLevel, hasScope } from '../access/actor.ts';
import { Refusal } from '../errors.ts';
import type { RecordState } from '../record/record-state.ts';
import { toWebhook } from '../webhook/record/webhook.ts';
import type { Directory } from './directory.ts';

/**
 * Returns the webhook if the actor is its API user or an administrator; otherwise throws. Administrators also see
 * deleted webhooks.
 */
export function requireWebhook(directory: Directory, actor: Actor, id: string): RecordState {
  requireWebhookScope(actor);
  const webhook = directory.record('Webhook', id);
  if (webhook === undefined || (webhook.deleted && actor.type !== 'admin')) {
    throw new Refusal('not_found', 'record.not_found', 'Webhook not found.');
  }
  if (actor.type !== 'admin' && webhook.values['userId'] !== actor.id) {
    throw new Refusal('forbidden', 'access.denied', 'No access to this webhook.');
  }
  return webhook;
}

/** Throws unless the actor is allowed to have webhooks. */
export function requireWebhookScope(actor: Actor): void {
  if (actor.type === 'admin' || (actor.type === 'api' && hasScope(actor, 'Webhook'))) return;
  const message =
    actor.type === 'api'
      ? "No access to 'Webhook': a role with this scope is required."
      : 'Only API users and administrators can access webhooks.';
  const statusReason = "No access to 'Webhook'.";
  throw new Refusal('forbidden', 'webhook.forbidden', message, { statusReason });
}

/**
 * True if the actor may learn about events that the webhook does not send, such as their number. For other actors, this
 * would reveal changes to records that they may not read.
 */
export function seesHidden(actor: Actor, webhook: RecordState): boolean {
  const level = accessLevel(actor, toWebhook(webhook).entityType, 'read');
  return level === 'all' || level === 'yes';
}
