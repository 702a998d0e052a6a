import { randomUUID } from 'node:crypto';
import type { WebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';

/** A batch with one event and fixed values. */
export const aBatch: WebhookBatch = {
  batchId: 'b1',
  webhookId: 'w1',
  event: 'Account.create',
  enqueuedAt: 0,
  attemptsMade: 0,
  dueAt: 0,
  events: [
    {
      eventId: 'e1',
      recordId: 'r1',
      version: 1,
      occurredAt: 0,
      actorId: 'a',
      access: { assignedUserId: null, createdById: null, teamIds: [] },
      data: '{"id":"r1"}',
      previous: '{}',
    },
  ],
};

/** Returns a batch with this number of events, as the queue writes it. */
export function buildBatch(webhookId: string, events = 1, padding = ''): WebhookBatch {
  const now = Date.now();
  return {
    batchId: randomUUID(),
    webhookId,
    event: 'Account.create',
    enqueuedAt: now,
    attemptsMade: 0,
    dueAt: now,
    events: Array.from({ length: events }, (_, index) => ({
      eventId: randomUUID(),
      recordId: `record-${index}`,
      version: 1,
      occurredAt: now,
      actorId: 'user',
      access: { assignedUserId: null, createdById: 'user', teamIds: [] },
      data: JSON.stringify({ id: `record-${index}`, name: `Größe „${index}“${padding}` }),
      previous: '{}',
    })),
  };
}
