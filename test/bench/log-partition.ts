import { randomBytes } from 'node:crypto';
import type { RecordEvent } from '../../shared/domain/record/record-event.ts';
import { encodeEvent, encodeFence } from '../../shared/events/log-entry-codec.ts';
import type { Message } from '../../shared/kafka/append.ts';

/** The entries that a writer would append to an empty partition: a fence, then events. */
export interface LogPartition {
  add(event: RecordEvent): void;
  /** Returns the entries since the last call; the first one is the fence. */
  take(): readonly Message[];
}

export function openLogPartition(): LogPartition {
  const token = randomBytes(8).toString('hex');
  const owner = { owner: 'bench', address: 'http://127.0.0.1:1', occurredAt: Date.now() };
  const fence = encodeFence({ token, prevToken: null, ...owner });
  const waiting: Message[] = [{ key: 'fence', value: fence }];
  let sequence = 0;
  return {
    add(event) {
      sequence += 1;
      waiting.push({ key: event.recordId, value: encodeEvent({ ...event, token, sequence }) });
    },
    take: () => waiting.splice(0),
  };
}
