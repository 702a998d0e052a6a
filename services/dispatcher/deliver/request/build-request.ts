import { createHmac, type KeyObject } from 'node:crypto';
import { buildWebhookBody } from '../../../../shared/events/build-webhook-body.ts';
import type { WebhookExchange } from '../../../../shared/events/webhook-attempt-codec.ts';
import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import { version } from '../../../../shared/runtime/version.ts';
import type { Endpoint } from './endpoints.ts';
import type { ObservedAnswer } from './observe-answer.ts';
import type { OutgoingRequest } from './send-request.ts';

const userAgent = `Annals-Webhooks/${version}`;

/**
 * Builds the request for one attempt. The body and the ids are the same for every attempt; the signature contains the
 * time `now`.
 */
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

/**
 * Returns the recorded form of a request. For headers that the subscriber set, only the names are recorded, because the
 * values may be credentials.
 */
export function toExchange(
  { origin, path, headers }: OutgoingRequest,
  { customHeaders }: Endpoint,
  observed: ObservedAnswer,
): WebhookExchange {
  const ours = headers.slice(0, headers.length - customHeaders.length);
  const hidden = customHeaders.map((text, index) => (index % 2 === 0 ? text : '(hidden)'));
  return {
    url: `${origin}${path}`,
    requestHeaders: [...ours, ...hidden],
    responseHeaders: observed.headers,
    responseBody: observed.body,
    connectMs: observed.connectMs,
    firstByteMs: observed.firstByteMs,
    address: observed.address,
  };
}

interface SignedContent {
  readonly body: Buffer;
  readonly webhookId: string;
  readonly batchId: string;
  /** The time of this attempt. */
  readonly timestampSeconds: number;
  /** Defaults to `base64`. */
  readonly xSignatureFormat?: 'base64' | 'prefixed';
}

/**
 * Returns the three signatures of a request (docs/reference/webhooks.md#what-you-get), all HMAC-SHA256. `keys` are the
 * UTF-8 bytes of the displayed secrets: the current one, and during a rotation also the previous one. The Standard
 * Webhooks header lists one signature per key.
 */
export function signBody(content: SignedContent, keys: readonly [KeyObject, ...KeyObject[]]) {
  const { body, webhookId, batchId, timestampSeconds, xSignatureFormat } = content;
  const plain = createHmac('sha256', keys[0]).update(body).digest();
  const prefix = `${batchId}.${timestampSeconds}.`;
  return {
    xSignature:
      xSignatureFormat === 'prefixed'
        ? Buffer.concat([Buffer.from(`${webhookId}:`), plain]).toString('base64')
        : plain.toString('base64'),
    signature: Buffer.from(`${webhookId}:${plain.toString('hex')}`).toString('base64'),
    standard: keys
      .map((key) => `v1,${createHmac('sha256', key).update(prefix).update(body).digest('base64')}`)
      .join(' '),
  };
}
