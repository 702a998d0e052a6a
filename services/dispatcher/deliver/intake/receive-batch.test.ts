import { describe, expect, it, vi } from 'vitest';
import { createDirectory } from '../../../../shared/domain/directory/directory.ts';
import type { EntryProof } from '../../../../shared/events/fold.ts';
import {
  encodeWebhookBatch,
  testBatchPrefix,
  type WebhookBatch,
} from '../../../../shared/events/webhook-batch-codec.ts';
import { systemClock } from '../../../../shared/runtime/clock.ts';
import { aBatch } from '../../../../test/support/builders/build-batch.ts';
import { dispatcherContext } from '../../../../test/support/builders/dispatcher-context.ts';
import { Numbering } from '../numbering/numbering.ts';
import { createInFlightWindow } from '../progress/in-flight-window.ts';
import { PartitionProgress } from '../progress/partition-progress.ts';
import { CircuitBreakers } from '../scheduling/circuit-breakers.ts';
import type { QueueBacklog } from '../scheduling/request-scheduler.ts';
import { WebhookOrder } from '../scheduling/webhook-order.ts';
import { admit, createReceiveBatch } from './receive-batch.ts';

const topics = { webhookBatches: 'batches', webhookOverflow: 'overflow' };
const idle: QueueBacklog = { batches: 0, bytes: 0, isSlow: false };

const full: QueueBacklog = { batches: 10, bytes: 10, isSlow: false };

interface ReceiverOptions {
  readonly backlog?: QueueBacklog;
  readonly held?: (isFirstTime: boolean) => string | undefined;
  readonly topic?: string;
  readonly metadata?: string;
  readonly order?: WebhookOrder;
}

const anOrder = () => new WebhookOrder(createDirectory([]));

const numbering = new Numbering(dispatcherContext({}), new Map(), {
  isRecorded: () => false,
  onChange: () => undefined,
});

class HeldBreakers extends CircuitBreakers {
  readonly #held: ReceiverOptions['held'];

  constructor(held: ReceiverOptions['held']) {
    super(() => undefined, 0, Date.now);
    this.#held = held;
  }

  override blockReason(_: WebhookBatch, isFirstTime: boolean): string | undefined {
    return this.#held?.(isFirstTime);
  }
}

function buildReceiver(options: ReceiverOptions = {}) {
  const take = vi.fn();
  const postpone = vi.fn();
  const reject = vi.fn();
  const overflowed = vi.fn();
  const waitForUpgrade = vi.fn();
  const receive = createReceiveBatch(dispatcherContext({ topics, clock: systemClock }), {
    order: options.order ?? anOrder(),
    backlog: () => options.backlog ?? idle,
    window: createInFlightWindow({ batches: 10, bytes: 1_000 }).open(),
    breakers: new HeldBreakers(options.held),
    numbering,
    place(task, placement) {
      if (placement === 'queue') take(task);
      else if (placement === 'overflow') overflowed(task);
      else postpone(task, placement.reason);
    },
    waitForUpgrade,
    reject,
  });
  const { topic = topics.webhookBatches, metadata = '' } = options;
  const progress = new PartitionProgress({ topic, partition: 0, offset: 0n, metadata });
  return {
    take,
    postpone,
    overflowed,
    waitForUpgrade,
    reject,
    offer: (message = buildMessage()) => receive(message, progress),
  };
}

function buildMessage(dueAt = 0, offset = 1n, change: Partial<WebhookBatch> = {}) {
  const value = encodeWebhookBatch({ ...aBatch, dueAt, ...change });
  return { offset, key: 'w1', value, timestamp: 0, proof: 'none' as EntryProof };
}

describe('a message in a batches partition', () => {
  it('is taken when it is due and there is room', () => {
    const { offer, take } = buildReceiver();
    const message = buildMessage();
    expect(offer(message)).toBe('taken');
    expect(take).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ offset: 1n, bytes: message.value.length }),
    );
  });

  it('waits for its retry time unless it is new', () => {
    const inAMinute = Date.now() + 60_000;
    const retry = buildReceiver({ topic: 'retry-1' });
    expect(retry.offer(buildMessage(inAMinute))).toEqual({ waitMs: expect.closeTo(60_000, -3) });
    expect(retry.take).not.toHaveBeenCalled();
    const fresh = buildReceiver();
    expect(fresh.offer(buildMessage(inAMinute))).toBe('taken');
    expect(fresh.take).toHaveBeenCalledOnce();
  });

  it('is skipped when its outcome was recorded before', () => {
    const { offer, take } = buildReceiver({ metadata: '1.1' });
    expect(offer()).toBe('taken');
    expect(take).not.toHaveBeenCalled();
  });

  it('is moved to the dead letters when it is not a batch', () => {
    const { offer, reject } = buildReceiver();
    expect(offer({ ...buildMessage(), value: Buffer.from('{}') })).toBe('taken');
    expect(reject).toHaveBeenCalledOnce();
  });

  it('blocks later messages only when a later version wrote it', () => {
    const { offer, waitForUpgrade, reject, take } = buildReceiver();
    const value = Buffer.concat([Buffer.from([0xc3, 0x01]), Buffer.alloc(20, 7)]);
    const later = { ...buildMessage(), value, proof: 'valid' as const };
    for (const _ of ['at first', 'again']) {
      expect(offer(later)).toEqual({ waitMs: expect.any(Number) });
    }
    expect(waitForUpgrade.mock.calls.map(([message]) => message)).toEqual([later, later]);
    expect([take, reject].flatMap(({ mock }) => mock.calls)).toEqual([]);
    expect(offer({ ...later, proof: 'none' })).toBe('taken');
    expect(reject).toHaveBeenCalledOnce();
  });

  it('is not sent when its payload format is unknown', () => {
    const { offer, waitForUpgrade, take } = buildReceiver();
    const format = { payloadFormat: 'of tomorrow' } as unknown as Partial<WebhookBatch>;
    expect(offer({ ...buildMessage(0, 1n, format), proof: 'valid' })).not.toBe('taken');
    expect(waitForUpgrade).toHaveBeenCalledOnce();
    expect(take).not.toHaveBeenCalled();
  });

  it('is postponed when the breaker of its webhook is open', () => {
    const held = (isFirstTime: boolean) => `first time: ${isFirstTime}`;
    const first = buildReceiver({ held });
    expect(first.offer()).toBe('taken');
    expect(first.postpone).toHaveBeenCalledWith(expect.anything(), 'first time: true');
    const later = buildReceiver({ held, topic: 'retry-1' });
    expect(later.offer()).toBe('taken');
    expect(later.postpone).toHaveBeenCalledWith(expect.anything(), 'first time: false');
  });

  it('is taken despite an open breaker when it is a test', () => {
    const { offer, take } = buildReceiver({ held: () => 'held' });
    expect(offer(buildMessage(0, 1n, { batchId: `${testBatchPrefix}1` }))).toBe('taken');
    expect(take).toHaveBeenCalledOnce();
  });

  it('is postponed again until the pause requested by its receiver ends', () => {
    const { offer, take, postpone } = buildReceiver({ topic: 'retry-1' });
    offer(buildMessage(0, 1n, { notBefore: Date.now() + 60_000 }));
    expect(postpone).toHaveBeenCalledWith(expect.anything(), 'receiver requested a pause');
    offer(buildMessage(0, 2n, { notBefore: Date.now() - 1 }));
    expect(take).toHaveBeenCalledOnce();
  });

  it('is postponed when its queue exceeds its share and does not keep up', () => {
    const hangs = buildReceiver({ backlog: { ...full, isSlow: true } });
    expect(hangs.offer()).toBe('taken');
    expect(hangs.postpone).toHaveBeenCalledOnce();
  });
});

describe('a batch whose queue is full but keeps up', () => {
  it.each(['batches', 'retry-1'])('moves from %s to the overflow', (topic) => {
    const order = anOrder();
    const { offer, overflowed, take } = buildReceiver({ backlog: full, topic, order });
    expect(offer()).toBe('taken');
    expect(overflowed).toHaveBeenCalledOnce();
    expect(take).not.toHaveBeenCalled();
    expect(order.hasOverflow('w1')).toBe(true);
  });

  it('waits in the overflow until there is room', () => {
    const order = anOrder();
    order.enterOverflow('w1');
    const topic = topics.webhookOverflow;
    expect(buildReceiver({ backlog: full, topic, order }).offer()).toBe('no room');
    expect(order.hasOverflow('w1')).toBe(true);
    const { offer, take } = buildReceiver({ topic, order });
    expect(offer()).toBe('taken');
    expect(take).toHaveBeenCalledOnce();
    expect(order.hasOverflow('w1')).toBe(false);
  });

  it('is postponed instead of moved to the overflow while its breaker is open', () => {
    const { offer, overflowed, postpone } = buildReceiver({ backlog: full, held: () => 'held' });
    expect(offer()).toBe('taken');
    expect(postpone).toHaveBeenCalledWith(expect.anything(), 'held');
    expect(overflowed).not.toHaveBeenCalled();
  });

  it('sends later batches of its webhook, except tests, to the overflow as well', () => {
    const order = anOrder();
    order.enterOverflow('w1');
    const { offer, overflowed, take } = buildReceiver({ order });
    offer(buildMessage(0, 1n, { webhookId: 'w2' }));
    offer(buildMessage(0, 2n, { batchId: `${testBatchPrefix}1` }));
    expect(take).toHaveBeenCalledTimes(2);
    offer(buildMessage(0, 3n));
    expect(overflowed).toHaveBeenCalledOnce();
    expect(take).toHaveBeenCalledTimes(2);
  });

  it('counts as new if it was never tried before the overflow', () => {
    const held = (isFirstTime: boolean) => `first time: ${isFirstTime}`;
    const { offer, postpone } = buildReceiver({ topic: topics.webhookOverflow, held });
    offer();
    offer(buildMessage(0, 2n, { attemptsMade: 1 }));
    expect(postpone.mock.calls.map(([, reason]) => reason)).toEqual([
      'first time: true',
      'first time: false',
    ]);
  });
});

const queue = (batches: number, isSlow = false, bytes = batches) => ({ batches, bytes, isSlow });
const free = (batches: number, bytes = 1_000) => ({ batches, bytes });

describe('a batch', () => {
  it('is taken while its queue uses less memory than is free', () => {
    expect(admit(queue(0), free(1))).toBe('take');
    expect(admit(queue(49), free(50))).toBe('take');
  });

  it('moves to the overflow when its queue uses more memory and keeps up', () => {
    expect(admit(queue(50), free(50))).toBe('overflow');
    expect(admit(queue(1, false, 1_000), free(50))).toBe('overflow');
  });

  it('is postponed when its queue uses more memory and does not keep up', () => {
    expect(admit(queue(50, true), free(50))).toBe('postpone');
  });

  it('is taken when its queue is slow but uses little memory', () => {
    expect(admit(queue(3, true), free(50))).toBe('take');
  });

  it('waits when no memory is free', () => {
    expect(admit(queue(0), free(0))).toBe('wait');
    expect(admit(queue(50, true), free(0))).toBe('wait');
    expect(admit(queue(0), free(5, 0))).toBe('wait');
  });
});

describe('queues that fill up', () => {
  it.each([1, 3, 9])('leave a share of the memory free with %d queues', (count) => {
    const limit = 1_000;
    const held = Array.from({ length: count }, () => 0);
    const freeNow = () => limit - held.reduce((sum, batches) => sum + batches, 0);
    for (let round = 0; round < limit; round++) {
      for (const [index, batches] of held.entries()) {
        if (admit(queue(batches, true), free(freeNow())) === 'take') held[index] = batches + 1;
      }
    }
    expect(freeNow()).toBeGreaterThanOrEqual(Math.floor(limit / (count + 1)) - count);
  });
});
