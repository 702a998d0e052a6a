import { randomUUID } from 'node:crypto';
import type { WebhookBatch } from '../../shared/events/webhook-batch-codec.ts';

/** A batch of so many events, as stage one writes it. */
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
