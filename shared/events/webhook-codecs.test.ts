import { describe, expect, it } from 'vitest';
import { UnreadableMessage } from '../domain/errors.ts';
import { decodeWebhookAttempt, encodeWebhookAttempt } from './webhook-attempt-codec.ts';
import { decodeWebhookBatch, encodeWebhookBatch } from './webhook-batch-codec.ts';

const attempt = encodeWebhookAttempt({
  batchId: 'b1',
  webhookId: 'w1',
  attempt: 1,
  at: 0,
  outcome: 'retry',
  status: null,
  reason: null,
  durationMs: 0,
  events: 1,
});
const emptyBatch = encodeWebhookBatch({
  batchId: 'b1',
  webhookId: 'w1',
  event: 'Account.create',
  enqueuedAt: 0,
  attemptsMade: 0,
  dueAt: 0,
  events: [],
});

describe('decoding a webhook message', () => {
  it.each([
    ['nothing', null],
    ['no bytes', Buffer.alloc(0)],
    ['JSON', Buffer.from('{"batchId":"b1"}')],
    ['a batch without events', emptyBatch],
    ['an attempt', attempt],
    ['a truncated batch', emptyBatch.subarray(0, 14)],
  ])('rejects %s as a batch', (_, bytes) => {
    expect(() => decodeWebhookBatch(bytes)).toThrow(UnreadableMessage);
  });

  it.each([
    ['nothing', null],
    ['a batch', emptyBatch],
    [
      'an attempt with an unknown outcome',
      Buffer.from(attempt.toString('latin1').replace('retry', 'retro'), 'latin1'),
    ],
  ])('rejects %s as an attempt', (_, bytes) => {
    expect(() => decodeWebhookAttempt(bytes)).toThrow(UnreadableMessage);
  });
});
