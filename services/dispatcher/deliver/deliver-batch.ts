import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { toWebhook } from '../../../shared/domain/webhook/webhook.ts';
import { isTestBatch, type WebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import type { BatchEnding, MadeRequest } from './batch-ending.ts';
import { buildRequest } from './build-request.ts';
import { classifyOutcome } from './classify-outcome.ts';
import type { DeliveryConfig } from './delivery-config.ts';
import type { Endpoint, Endpoints } from './endpoints.ts';
import { nextAttempt } from './next-attempt.ts';
import type { RequestSender } from './send-request.ts';
import { toExchange } from './to-exchange.ts';

export interface DeliverBatchDeps {
  readonly directory: Pick<Directory, 'record'>;
  readonly endpoints: Endpoints;
  readonly sender: RequestSender;
  readonly config: DeliveryConfig;
  /** Whether requests may go to this url at all. */
  mayConnect(url: string): boolean;
  /** Whether the receiver has answered 410. */
  isGone(webhookId: string): boolean;
}

export const goneReason = 'webhook removed (410)';

/** Where a batch goes now, or how it ends without a request. */
export function chooseEndpoint(
  batch: WebhookBatch,
  deps: DeliverBatchDeps,
): { readonly endpoint: Endpoint } | { readonly ending: BatchEnding } {
  const { webhookId } = batch;
  if (deps.isGone(webhookId)) return { ending: { kind: 'dropped', reason: goneReason } };
  const record = deps.directory.record('Webhook', webhookId);
  if (record === undefined || record.deleted) {
    deps.endpoints.forget(webhookId);
    return { ending: { kind: 'dropped', reason: 'webhook removed' } };
  }
  const webhook = toWebhook(record);
  if (!webhook.isActive && !isTestBatch(batch))
    return { ending: postponed('webhook inactive', deps.config) };
  if (!deps.mayConnect(webhook.url)) {
    return { ending: { kind: 'dead', reason: 'requests to this url are not allowed' } };
  }
  try {
    return { endpoint: deps.endpoints.of(webhook) };
  } catch (error) {
    return { ending: { kind: 'dead', reason: `webhook is unusable: ${String(error)}` } };
  }
}

export function postponed(reason: string, config: DeliveryConfig): BatchEnding {
  return { kind: 'postponed', reason, dueAt: Date.now() + config.failAttemptPeriodMs };
}

/** One attempt. `isGone` says that the webhook is to be removed. */
export async function deliverBatch(
  batch: WebhookBatch,
  endpoint: Endpoint,
  deps: DeliverBatchDeps,
): Promise<{ readonly ending: BatchEnding; readonly isGone: boolean }> {
  const startedAt = Date.now();
  const begin = performance.now();
  const request = buildRequest(batch, endpoint, startedAt);
  const result = await deps.sender.send(request);
  const verdict = classifyOutcome(result);
  const made: MadeRequest = {
    startedAt,
    durationMs: Math.round(performance.now() - begin),
    status: result.kind === 'answered' ? result.status : null,
    ...(result.observed === undefined
      ? {}
      : { exchange: toExchange(request, endpoint, result.observed) }),
  };
  switch (verdict.kind) {
    case 'delivered':
      return { ending: { kind: 'delivered', request: made }, isGone: false };
    case 'gone':
      return { ending: { kind: 'dropped', request: made, reason: goneReason }, isGone: true };
    case 'failed':
      return {
        ending: endingAfterFailure(batch, made, { ...verdict, ...deps.config }),
        isGone: false,
      };
  }
}

function endingAfterFailure(
  batch: WebhookBatch,
  request: MadeRequest,
  failure: Pick<DeliveryConfig, 'maxAttempts' | 'failAttemptPeriodMs'> & {
    readonly reason: string;
  },
): BatchEnding {
  if (isTestBatch(batch)) return { kind: 'dropped', request, reason: failure.reason };
  const next = nextAttempt({
    attemptsMade: batch.attemptsMade + 1,
    maxAttempts: failure.maxAttempts,
    now: Date.now(),
    periodMs: failure.failAttemptPeriodMs,
  });
  const { reason } = failure;
  if (next.kind === 'none') return { kind: 'dead', request, reason };
  const { retryTopic, dueAt } = next;
  return { kind: 'retried', request, reason, retryTopic, dueAt };
}
