import { UnreadableMessage } from '../../../shared/domain/errors.ts';
import { toWebhook } from '../../../shared/domain/webhook/record/webhook.ts';
import { eventsForReceiver, notReadable } from '../../../shared/events/events-for-receiver.ts';
import {
  isTestBatch,
  type WebhookBatch,
  type WebhookEvent,
} from '../../../shared/events/webhook-batch-codec.ts';
import type { DeliveryContext, DispatcherContext } from '../context.ts';
import { classifyResponse, type ResponseClass } from './outcome/classify-response.ts';
import type { MadeRequest, Outcome } from './outcome/outcome.ts';
import type { WebhookRemoval } from './outcome/webhook-removal.ts';
import { buildRequest, toExchange } from './request/build-request.ts';
import type { Endpoint } from './request/endpoints.ts';

/**
 * The number of attempts with a `Retry-After` that do not count towards the limit
 * (docs/reference/webhooks.md#what-your-answer-means).
 */
const MAX_SPARED_ATTEMPTS = 3;
const LAST_RETRY_TOPIC = 2;

export const goneReason = 'webhook removed (410)';

/** Returns the current endpoint of a batch, or the outcome of a batch that cannot be sent. */
export function chooseEndpoint(
  batch: WebhookBatch,
  removal: WebhookRemoval,
  context: DeliveryContext,
): { readonly endpoint: Endpoint } | { readonly outcome: Outcome } {
  const { webhookId } = batch;
  if (removal.has(webhookId)) return { outcome: { kind: 'dropped', reason: goneReason } };
  const record = context.directory.record('Webhook', webhookId);
  // Deleted webhooks stay in the directory, so this webhook is newer than what has been read of the directory.
  if (record === undefined) return { outcome: postponed('webhook is not known yet', context) };
  if (record.deleted) return { outcome: { kind: 'dropped', reason: 'webhook removed' } };
  const webhook = toWebhook(record);
  if (!webhook.isActive && !isTestBatch(batch)) {
    return { outcome: postponed('webhook inactive', context) };
  }
  const verdict = context.validateUrl(webhook.url);
  if (verdict.kind === 'refused') {
    return { outcome: { kind: 'dead', reason: `address refused: ${verdict.reason}` } };
  }
  try {
    return { endpoint: context.endpoints.of(webhook) };
  } catch (error) {
    return { outcome: { kind: 'dead', reason: `webhook is unusable: ${String(error)}` } };
  }
}

export function postponed(reason: string, { config, clock }: DispatcherContext): Outcome {
  return { kind: 'postponed', reason, dueAt: clock.now() + config.delivery.failAttemptPeriodMs };
}

/** Makes one attempt. `isGone` is true if the webhook must be removed. */
export async function deliverBatch(
  batch: WebhookBatch,
  endpoint: Endpoint,
  context: DeliveryContext,
): Promise<{ readonly outcome: Outcome; readonly isGone: boolean }> {
  const { clock } = context;
  const startedAt = clock.now();
  const begin = performance.now();
  const events = readableEvents(batch, context);
  if (typeof events === 'string') {
    return { outcome: { kind: 'dead', reason: events }, isGone: false };
  }
  if (events.length === 0) {
    return { outcome: { kind: 'dropped', reason: notReadable }, isGone: false };
  }
  const request = buildRequest({ ...batch, events }, endpoint, startedAt);
  const result = await context.sender.send(request);
  const response = classifyResponse(result, clock.now());
  const made: MadeRequest = {
    startedAt,
    durationMs: Math.round(performance.now() - begin),
    events: events.length,
    status: result.kind === 'answered' ? result.status : null,
    ...(result.observed === undefined
      ? {}
      : { exchange: toExchange(request, endpoint, result.observed) }),
  };
  const outcome = outcomeOf({ batch, request: made }, response, context);
  return { outcome, isGone: response.kind === 'gone' };
}

/** Returns the events that the receiver may read, or the reason why they cannot be determined. */
function readableEvents(
  batch: WebhookBatch,
  { directory }: DispatcherContext,
): readonly WebhookEvent[] | string {
  const webhook = directory.record('Webhook', batch.webhookId);
  if (webhook === undefined) return [];
  try {
    return eventsForReceiver(batch.events, toWebhook(webhook), directory);
  } catch (error) {
    if (error instanceof UnreadableMessage) return error.message;
    throw error;
  }
}

function outcomeOf(
  { batch, request }: { readonly batch: WebhookBatch; readonly request: MadeRequest },
  response: ResponseClass,
  { clock, config }: DispatcherContext,
): Outcome {
  if (response.kind === 'delivered') return { kind: 'delivered', request };
  if (response.kind === 'gone') return { kind: 'dropped', request, reason: goneReason };
  const { reason, retryAfterMs } = response;
  if (isTestBatch(batch)) return { kind: 'dropped', request, reason };
  const { attemptsMade, sparedAttempts = 0 } = batch;
  const isSpared = retryAfterMs !== undefined && sparedAttempts < MAX_SPARED_ATTEMPTS;
  const counted = attemptsMade + 1 - sparedAttempts - Number(isSpared);
  if (counted >= config.delivery.maxAttempts) return { kind: 'dead', request, reason };
  const now = clock.now();
  const retryTopic = Math.min(attemptsMade, LAST_RETRY_TOPIC);
  // All batches wait equally long, so that the first batch in a retry partition is always the next one due.
  const dueAt = now + config.delivery.failAttemptPeriodMs;
  const patience =
    retryAfterMs === undefined ? {} : { patience: { notBefore: now + retryAfterMs, isSpared } };
  return { kind: 'retried', request, reason, retryTopic, dueAt, ...patience };
}
