import type { WebhookEvent } from '../../../shared/events/webhook-batch-codec.ts';

/** Exactly JSON.stringify of the array of payloads, without parsing them: each `data` already is its output. */
export function buildBody(events: readonly WebhookEvent[]): Buffer {
  return Buffer.from(`[${events.map(({ data }) => data).join(',')}]`);
}
