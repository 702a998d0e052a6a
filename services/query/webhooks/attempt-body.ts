import type { WebhookAttempt } from '../../../shared/events/webhook-attempt-codec.ts';

/** Returns an attempt as an API response. Headers are lists of [name, value], because a name may be repeated. */
export function toAttemptBody({
  exchange,
  batchId,
  webhookId,
  at,
  outcome,
  ...attempt
}: WebhookAttempt) {
  return {
    deliveryId: batchId,
    webhookId,
    at: new Date(at).toISOString().slice(0, 23).replace('T', ' '),
    state: outcome,
    ...attempt,
    request: exchange && { url: exchange.url, headers: toPairs(exchange.requestHeaders) },
    response: exchange && {
      headers: toPairs(exchange.responseHeaders),
      body: exchange.responseBody.toString('utf8'),
    },
    connectMs: exchange?.connectMs ?? null,
    firstByteMs: exchange?.firstByteMs ?? null,
    address: exchange?.address ?? null,
  };
}

function toPairs(flat: readonly string[]): readonly (readonly [string, string])[] {
  return flat.flatMap((name, index) =>
    index % 2 === 0 ? [[name, flat[index + 1] ?? ''] as const] : [],
  );
}
