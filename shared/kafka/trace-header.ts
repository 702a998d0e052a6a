import { isTraceparent, traceIdOf } from '../runtime/trace.ts';
import type { Message } from './append.ts';
import type { ReadMessage } from './read-partitions.ts';

const header = 'traceparent';

/** W3C Trace Context is sent in message headers: it identifies the origin of a change and is not part of the change. */
export function traceHeaders(traceparent: string | undefined): Partial<Message> {
  return traceparent === undefined ? {} : { headers: { [header]: traceparent } };
}

/** Also returns undefined for a malformed traceparent. */
export function traceparentOf({
  headers,
}: {
  readonly headers?: ReadMessage['headers'];
}): string | undefined {
  const text = headers?.[header]?.toString('latin1');
  return text !== undefined && isTraceparent(text) ? text : undefined;
}

/** Returns the 16 bytes of a message's trace id; null without a well-formed traceparent. */
export function traceIdBytes(message: Parameters<typeof traceparentOf>[0]): Buffer | null {
  const traceparent = traceparentOf(message);
  return traceparent === undefined ? null : Buffer.from(traceIdOf(traceparent), 'hex');
}
