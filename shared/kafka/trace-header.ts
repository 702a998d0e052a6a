import { isTraceparent } from '../runtime/trace.ts';
import type { Message } from './append.ts';
import type { ReadMessage } from './read-partitions.ts';

const header = 'traceparent';

/** W3C Trace Context travels in the headers of a message: it says where a change came from, not what it is. */
export function traceHeaders(traceparent: string | undefined): Pick<Message, 'headers'> {
  return traceparent === undefined ? {} : { headers: { [header]: traceparent } };
}

/** Undefined also for a header that is no traceparent, whoever wrote it. */
export function traceparentOf({ headers }: Pick<ReadMessage, 'headers'>): string | undefined {
  const text = headers?.[header]?.toString('latin1');
  return text !== undefined && isTraceparent(text) ? text : undefined;
}
