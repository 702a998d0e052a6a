import type { WebhookExchange } from '../../../../shared/events/webhook-attempt-codec.ts';
import type { Endpoint } from './endpoints.ts';
import type { ObservedAnswer } from './observe-answer.ts';
import type { OutgoingRequest } from './send-request.ts';

/**
 * The recorded form of a request. Only the names of the subscriber's own headers are recorded: the values may be
 * credentials.
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
