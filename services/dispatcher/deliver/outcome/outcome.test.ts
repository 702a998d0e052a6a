import { describe, expect, it } from 'vitest';
import { decodeWebhookAttempt } from '../../../../shared/events/webhook-attempt-codec.ts';
import { decodeWebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import { topicNames } from '../../../../shared/kafka/topics.ts';
import { aBatch } from '../../../../test/support/builders/build-batch.ts';
import { dispatcherContext } from '../../../../test/support/builders/dispatcher-context.ts';
import { type Outcome, toMessages, toUnreadableLetter } from './outcome.ts';

const names = topicNames('t');
const context = dispatcherContext({
  topics: names,
  partitions: 4,
  kafka: {},
  clock: { now: () => 900 },
});
const batch = { ...aBatch, enqueuedAt: 5, attemptsMade: 1, dueAt: 5 };
const request = { startedAt: 100, durationMs: 20, status: 500, events: 1 };

function endWith(outcome: Outcome) {
  const [attempt, onward, ...more] = toMessages(batch, outcome, {
    from: names.webhookBatches,
    context,
  });
  expect(more).toEqual([]);
  expect(attempt).toMatchObject({ topic: names.webhookAttempts, key: 'w1' });
  return {
    attempt: decodeWebhookAttempt(attempt?.value ?? null),
    partition: attempt?.partition,
    onward: onward && { ...onward, value: decodeWebhookBatch(onward.value) },
  };
}

describe('an outcome', () => {
  it('writes only an attempt when the batch is delivered or dropped', () => {
    const { attempt, onward } = endWith({
      kind: 'delivered',
      request: { ...request, status: 200 },
    });
    expect(onward).toBeUndefined();
    expect(attempt).toEqual({
      batchId: 'b1',
      webhookId: 'w1',
      attempt: 2,
      at: 100,
      outcome: 'delivered',
      status: 200,
      reason: null,
      durationMs: 20,
      events: 1,
    });
    expect(endWith({ kind: 'dropped', reason: 'webhook removed' })).toMatchObject({
      attempt: { attempt: 0, at: 900, outcome: 'dropped', status: null, reason: 'webhook removed' },
      onward: undefined,
    });
  });

  it('moves a failed batch to the same partition of its retry topic', () => {
    const outcome = { kind: 'retried', request, reason: 'x', retryTopic: 1, dueAt: 700 } as const;
    const { attempt, onward, partition } = endWith(outcome);
    expect(attempt).toMatchObject({ attempt: 2, outcome: 'retry', status: 500, reason: 'x' });
    expect(onward).toMatchObject({ topic: names.webhookRetries[1], partition, key: 'w1' });
    expect(onward?.value).toEqual({ ...batch, attemptsMade: 2, dueAt: 700 });
  });

  it('moves a postponed batch to the first retry topic with a new due time', () => {
    const { attempt, onward } = endWith({ kind: 'postponed', reason: 'x', dueAt: 700 });
    expect(attempt).toMatchObject({ attempt: 0, outcome: 'retry', reason: 'x' });
    expect(onward?.topic).toBe(names.webhookRetries[0]);
    expect(onward?.value).toEqual({ ...batch, dueAt: 700 });
  });

  it('records the reason for a postponement only the first time', () => {
    const outcome = { kind: 'postponed', reason: 'x', dueAt: 700 } as const;
    const from = names.webhookRetries[0];
    const again = toMessages(batch, outcome, { from, context });
    expect(again.map(({ topic }) => topic)).toEqual([names.webhookRetries[0]]);
    const retried = { kind: 'retried', request, reason: 'x', retryTopic: 1, dueAt: 700 } as const;
    const failed = toMessages(batch, retried, { from, context });
    expect(failed.map(({ topic }) => topic)).toEqual([
      names.webhookAttempts,
      names.webhookRetries[1],
    ]);
  });

  it('moves a dead batch to the dead letters with its reason', () => {
    const { attempt, onward } = endWith({ kind: 'dead', request, reason: 'HTTP status 500' });
    expect(attempt).toMatchObject({ attempt: 2, outcome: 'dead' });
    expect(onward).toMatchObject({
      topic: names.webhookDeadLetters,
      partition: 0,
      headers: { reason: 'HTTP status 500' },
      value: { attemptsMade: 2 },
    });
    expect(endWith({ kind: 'dead', reason: 'not allowed' }).onward?.value.attemptsMade).toBe(1);
  });
});

describe('a message that is not a batch', () => {
  it('is moved to the dead letters unchanged', () => {
    const value = Buffer.from('nonsense');
    expect(toUnreadableLetter({ key: null, value }, 'unknown schema', names)).toEqual({
      topic: names.webhookDeadLetters,
      partition: 0,
      key: '',
      value,
      headers: { reason: 'unknown schema' },
      isForeign: true,
    });
  });
});
