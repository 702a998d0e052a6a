import { randomBytes } from 'node:crypto';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { encodeEvent, encodeFence } from '../../../shared/events/log-entry-codec.ts';
import type { AppendMessages } from '../../../shared/kafka/append.ts';
import { traceHeaders } from '../../../shared/kafka/trace-header.ts';

/** Writes valid and invalid entries to a partition. One script per partition. */
export interface LogScript {
  /** Takes the partition over: later events have this fence's token. */
  fence(): Promise<void>;
  /** Appends valid events, as one batch. */
  events(...events: readonly RecordEvent[]): Promise<void>;
  /** Appends valid events of one request. */
  tracedEvents(traceparent: string, ...events: readonly RecordEvent[]): Promise<void>;
  /** Appends events from a writer that lost the partition or never owned it. */
  staleEvents(...events: readonly RecordEvent[]): Promise<void>;
  /** Appends the last events again, like a repeated send. */
  lastEventsAgain(): Promise<void>;
  /** Appends a fence that names a wrong predecessor. */
  staleFence(): Promise<void>;
  bytes(value: Buffer): Promise<void>;
}

interface Place {
  readonly append: AppendMessages;
  readonly topic: string;
  readonly partition: number;
}

export function createLogScript({ append, topic, partition }: Place): LogScript {
  let token: string | null = null;
  let sequence = 0;
  let last: readonly Buffer[] = [];

  const send = async (values: readonly Buffer[], traceparent?: string): Promise<void> => {
    await append(
      topic,
      partition,
      values.map((value) => ({ key: 'scripted', value, ...traceHeaders(traceparent) })),
    );
  };
  const sendValid = async (events: readonly RecordEvent[], traceparent?: string): Promise<void> => {
    const valid = token ?? '';
    last = events.map((event, index) =>
      encodeEvent({ ...event, token: valid, sequence: sequence + index + 1 }),
    );
    sequence += events.length;
    await send(last, traceparent);
  };

  return {
    async fence() {
      const next = randomBytes(8).toString('hex');
      await send([fenceAfter(token, next)]);
      token = next;
      sequence = 0;
    },
    events: async (...events) => sendValid(events),
    tracedEvents: async (traceparent, ...events) => sendValid(events, traceparent),
    staleEvents: async (...events) =>
      send(events.map((event) => encodeEvent({ ...event, token: 'long gone', sequence: 1 }))),
    lastEventsAgain: async () => send(last),
    staleFence: async () => send([fenceAfter('long gone', randomBytes(8).toString('hex'))]),
    bytes: async (value) => send([value]),
  };
}

function fenceAfter(prevToken: string | null, token: string): Buffer {
  const address = 'http://127.0.0.1:1';
  return encodeFence({ token, prevToken, owner: 'script', address, occurredAt: Date.now() });
}
