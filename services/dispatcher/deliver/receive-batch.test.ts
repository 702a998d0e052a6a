import { describe, expect, it, vi } from 'vitest';
import { encodeWebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import type { Backlog } from './admit.ts';
import { createPartitionProgress } from './partition-progress.ts';
import { createReceiveBatch } from './receive-batch.ts';

const batchesTopic = 'batches';
const idle: Backlog = { batches: 0, bytes: 0, isSlow: false };

function buildReceiver(
  options: { backlog?: Backlog; hasFailed?: boolean; topic?: string; note?: string } = {},
) {
  const take = vi.fn();
  const postpone = vi.fn();
  const setAside = vi.fn();
  const receive = createReceiveBatch({
    batchesTopic,
    backlog: () => options.backlog ?? idle,
    free: () => ({ batches: 10, bytes: 1_000 }),
    begin: () => {},
    hasFailedSince: () => options.hasFailed === true,
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

function buildMessage(dueAt = 0, offset = 1n) {
  const value = encodeWebhookBatch({
    batchId: 'b1',
    webhookId: 'w1',
    event: 'Account.create',
    enqueuedAt: 0,
    attemptsMade: 0,
    dueAt,
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

  it('waits until it is due', () => {
    const { offer, take } = buildReceiver();
    const reception = offer(buildMessage(Date.now() + 60_000));
    expect(reception).toEqual({ waitMs: expect.closeTo(60_000, -3) });
    expect(take).not.toHaveBeenCalled();
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

  it('is postponed when its webhook failed in this run', () => {
    const { offer, postpone } = buildReceiver({ hasFailed: true });
    expect(offer()).toBe('taken');
    expect(postpone).toHaveBeenCalledWith(expect.anything(), 'webhook failed in this run');
  });

  it('is taken all the same when it is a retry', () => {
    const { offer, take } = buildReceiver({ hasFailed: true, topic: 'retry-1' });
    expect(offer()).toBe('taken');
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
