import { buildWebhookBody } from '../../../../shared/events/build-webhook-body.ts';
import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import type { Endpoint } from './endpoints.ts';
import type { OutgoingRequest } from './send-request.ts';
import { signBody } from './sign-body.ts';
import { userAgent } from './user-agent.ts';

/** The request of one attempt: always the same body and ids, signed anew with the time `now`. */
export function buildRequest(
  batch: WebhookBatch,
  endpoint: Endpoint,
  now: number,
): OutgoingRequest {
  const { batchId, webhookId, event, attemptsMade, replayId, traceparent } = batch;
  const { key, previous, xSignatureFormat } = endpoint;
  const body = buildWebhookBody(batch);
  const timestampSeconds = Math.floor(now / 1000);
  const signatures = signBody(
    { body, webhookId, batchId, timestampSeconds, xSignatureFormat },
    previous === undefined || previous.until <= now ? [key] : [key, previous.key],
  );
  const headers = [
    ['Content-Type', 'application/json'],
    ['User-Agent', userAgent],
    ['X-Signature', signatures.xSignature],
    ['Signature', signatures.signature],
    ['webhook-id', batchId],
    ['webhook-timestamp', String(timestampSeconds)],
    ['webhook-signature', signatures.standard],
    ['X-Webhook-Id', webhookId],
    ['X-Webhook-Event', event],
    ['X-Webhook-Attempt', String(attemptsMade + 1)],
    ...(traceparent === undefined ? [] : [['traceparent', traceparent]]),
    ...(replayId === undefined ? [] : [['X-Webhook-Replay', replayId]]),
  ].flat();
  return {
    origin: endpoint.origin,
    path: endpoint.path,
    headers: [...headers, ...endpoint.customHeaders],
    body,
  };
}
