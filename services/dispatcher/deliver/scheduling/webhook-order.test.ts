import { describe, expect, it } from 'vitest';
import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import { buildBatch } from '../../../../test/support/builders/build-batch.ts';
import type { BatchTask } from '../progress/in-flight-window.ts';
import { PartitionProgress } from '../progress/partition-progress.ts';
import { WebhookOrder } from './webhook-order.ts';

const request = { startedAt: 0, durationMs: 0, status: 200, events: 1 };
const progress = new PartitionProgress({ topic: 't', partition: 0, offset: 0n, metadata: '' });

/** Builds an order with a queue that starts no tasks. */
function build(free = { batches: 1_000, bytes: 1_000_000 }) {
  const order = new WebhookOrder({
    record: (entityType, id) => ({
      entityType,
      id,
      version: 1,
      deleted: false,
      values: { ordered: true },
    }),
    entity: () => undefined,
    actor: () => {
      throw new Error('an order needs no actor');
    },
  });
  let queue: readonly BatchTask[] = [];
  return {
    order,
    hold: (batch: WebhookBatch) => order.hold(toTask(batch), free),
    queue: () => queue.map(({ batch }) => batch.batchId),
    enter: (...batches: readonly WebhookBatch[]) => {
      queue = batches.map(toTask);
    },
    end(batch: WebhookBatch) {
      order.recordOutcome(batch, { kind: 'delivered', request });
      const takeWaiting = () => {
        const taken = queue;
        queue = [];
        return taken;
      };
      queue = [...order.release(batch.webhookId, takeWaiting), ...queue];
    },
  };
}

const toTask = (batch: WebhookBatch): BatchTask => ({ progress, offset: 0n, batch, bytes: 10 });

const [first, second, third, fourth] = ['1', '2', '3', '4'].map((id) => ({
  ...buildBatch('w1'),
  batchId: id,
  enqueuedAt: Number(id),
})) as [WebhookBatch, WebhookBatch, WebhookBatch, WebhookBatch];

describe('a batch of an ordered webhook', () => {
  it('waits for an earlier batch and returns to its queue before later batches', () => {
    const { order, hold, queue, enter, end } = build();
    order.addRetry(first);
    order.addRetry(second);
    expect(hold(fourth)).toBe(true);
    expect(hold(third)).toBe(true);
    end(first);
    expect(queue()).toEqual([]);
    enter({ ...fourth, batchId: '5', enqueuedAt: 5 });
    end(second);
    expect(queue()).toEqual(['3', '4', '5']);
    end(third);
    expect(queue()).toEqual(['3', '4', '5']);
  });

  it('is not held when no earlier batch waits', () => {
    const { order, hold } = build();
    expect(hold(second)).toBe(false);
    order.addRetry(second);
    expect(hold(first)).toBe(false);
    expect(hold({ ...third, batchId: 'test_3' })).toBe(false);
  });

  it('is not held when memory is short or too many batches are held', () => {
    const small = build({ batches: 1_000, bytes: 25 });
    small.order.addRetry(first);
    const holds = () => small.hold(second);
    expect([holds(), holds(), holds(), holds()]).toEqual([true, true, true, false]);
    const large = build();
    large.order.addRetry(first);
    const held = Array.from({ length: 600 }, () => large.hold(second));
    expect(held.filter(Boolean)).toHaveLength(500);
  });
});

describe('the overflow of a webhook', () => {
  it('contains its batches until all of them have left', () => {
    const { order } = build();
    order.enterOverflow('w1');
    order.enterOverflow('w1');
    order.leaveOverflow('w1');
    expect([order.hasOverflow('w1'), order.hasOverflow('w2')]).toEqual([true, false]);
    order.leaveOverflow('w1');
    expect(order.hasOverflow('w1')).toBe(false);
  });
});
