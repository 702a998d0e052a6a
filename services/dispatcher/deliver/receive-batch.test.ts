import { describe, expect, it, vi } from 'vitest';
import {
  encodeWebhookBatch,
  testBatchPrefix,
  type WebhookBatch,
} from '../../../shared/events/webhook-batch-codec.ts';
import type { Backlog } from './admit.ts';
import { createPartitionProgress } from './partition-progress.ts';
import { createReceiveBatch } from './receive-batch.ts';

const batchesTopic = 'batches';
const idle: Backlog = { batches: 0, bytes: 0, isSlow: false };

interface ReceiverOptions {
  readonly backlog?: Backlog;
  readonly held?: (isFirstTime: boolean) => string | undefined;
  readonly topic?: string;
  readonly note?: string;
}

function buildReceiver(options: ReceiverOptions = {}) {
  const take = vi.fn();
  const postpone = vi.fn();
  const setAside = vi.fn();
  const receive = createReceiveBatch({
    batchesTopic,
    backlog: () => options.backlog ?? idle,
    free: () => ({ batches: 10, bytes: 1_000 }),
    begin: () => {},
    holdReason: (_, isFirstTime) => options.held?.(isFirstTime),
    take,
    postpone,
    setAside,
  });
  const { topic = batchesTopic, note = '' } = options;
  const progress = createPartitionProgress({ topic, partition: 0, offset: 0n, note });
  return {
    take,
    postpone,
    setAside,
    offer: (message = buildMessage()) => receive(message, progress),
  };
}

function buildMessage(dueAt = 0, offset = 1n, change: Partial<WebhookBatch> = {}) {
  const value = encodeWebhookBatch({
    batchId: 'b1',
    webhookId: 'w1',
    event: 'Account.create',
    enqueuedAt: 0,
    attemptsMade: 0,
    dueAt,
    ...change,
    events: [
      {
        eventId: 'e1',
        recordId: 'r1',
        version: 1,
        occurredAt: 0,
        actorId: 'a',
        access: { assignedUserId: null, createdById: null, teamIds: [] },
        data: '{}',
        previous: '{}',
      },
    ],
  });
  return { offset, key: 'w1', value, timestamp: 0 };
}

describe('a message of a batches partition', () => {
  it('is taken when it is due and there is room', () => {
    const { offer, take } = buildReceiver();
    const message = buildMessage();
    expect(offer(message)).toBe('taken');
    expect(take).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ offset: 1n, bytes: message.value.length }),
    );
  });

  it('waits until its retry is due, but not for the clock of who enqueued it', () => {
    const inAMinute = Date.now() + 60_000;
    const retry = buildReceiver({ topic: 'retry-1' });
    expect(retry.offer(buildMessage(inAMinute))).toEqual({ waitMs: expect.closeTo(60_000, -3) });
    expect(retry.take).not.toHaveBeenCalled();
    const fresh = buildReceiver();
    expect(fresh.offer(buildMessage(inAMinute))).toBe('taken');
    expect(fresh.take).toHaveBeenCalledOnce();
  });

  it('is passed when its ending was recorded before', () => {
    const { offer, take } = buildReceiver({ note: '1.1' });
    expect(offer()).toBe('taken');
    expect(take).not.toHaveBeenCalled();
  });

  it('is set aside when it is no batch', () => {
    const { offer, setAside } = buildReceiver();
    expect(offer({ ...buildMessage(), value: Buffer.from('{}') })).toBe('taken');
    expect(setAside).toHaveBeenCalledOnce();
  });

  it('is postponed when the breaker of its webhook says so', () => {
    const held = (isFirstTime: boolean) => `first time: ${isFirstTime}`;
    const first = buildReceiver({ held });
    expect(first.offer()).toBe('taken');
    expect(first.postpone).toHaveBeenCalledWith(expect.anything(), 'first time: true');
    const later = buildReceiver({ held, topic: 'retry-1' });
    expect(later.offer()).toBe('taken');
    expect(later.postpone).toHaveBeenCalledWith(expect.anything(), 'first time: false');
  });

  it('is taken all the same when it is a test', () => {
    const { offer, take } = buildReceiver({ held: () => 'held' });
    expect(offer(buildMessage(0, 1n, { batchId: `${testBatchPrefix}1` }))).toBe('taken');
    expect(take).toHaveBeenCalledOnce();
  });

  it('is postponed again while its receiver wants to be left alone', () => {
    const { offer, take, postpone } = buildReceiver({ topic: 'retry-1' });
    offer(buildMessage(0, 1n, { notBefore: Date.now() + 60_000 }));
    expect(postpone).toHaveBeenCalledWith(expect.anything(), 'receiver asked to be left alone');
    offer(buildMessage(0, 2n, { notBefore: Date.now() - 1 }));
    expect(take).toHaveBeenCalledOnce();
  });

  it('waits, or is postponed, when its lane is over its share', () => {
    const full = { batches: 10, bytes: 10, isSlow: false };
    const keepsUp = buildReceiver({ backlog: full });
    expect(keepsUp.offer()).toBe('no room');
    const hangs = buildReceiver({ backlog: { ...full, isSlow: true } });
    expect(hangs.offer()).toBe('taken');
    expect(hangs.postpone).toHaveBeenCalledOnce();
  });
});
