import { describe, expect, it } from 'vitest';
import type { WebhookBatch } from '../../../../shared/events/webhook-batch-codec.ts';
import { buildBatch } from '../../../../test/support/builders/build-batch.ts';
import type { BatchTask } from '../intake/receive-batch.ts';
import { createPartitionProgress } from '../progress/partition-progress.ts';
import { createHoldback } from './holdback.ts';
import { createOrdering } from './ordering.ts';

const request = { startedAt: 0, durationMs: 0, status: 200, events: 1 };
const progress = createPartitionProgress({ topic: 't', partition: 0, offset: 0n, metadata: '' });

/** A lane that starts no tasks. */
function build(free = { batches: 1_000, bytes: 1_000_000 }) {
  const ordering = createOrdering({
    record: (entityType, id) => ({
      entityType,
      id,
      version: 1,
      deleted: false,
      values: { ordered: true },
    }),
  });
  let lane: BatchTask[] = [];
  const holdback = createHoldback({
    ordering,
    free: () => free,
    lanes: {
      add: (_, task) => void lane.push(task),
      takeWaiting: () => lane.splice(0),
    },
  });
  return {
    ordering,
    holdback,
    lane: () => lane.map(({ batch }) => batch.batchId),
    enter: (...batches: readonly WebhookBatch[]) => {
      lane = batches.map(toTask);
    },
    async end(batch: WebhookBatch) {
      ordering.recordOutcome(batch, { kind: 'delivered', request });
      holdback.resume(batch.webhookId);
      await Promise.resolve();
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
  it('waits while an earlier batch waits, and returns to its lane before later batches', async () => {
    const { ordering, holdback, lane, enter, end } = build();
    ordering.wait(first);
    ordering.wait(second);
    expect(holdback.hold(toTask(fourth))).toBe(true);
    expect(holdback.hold(toTask(third))).toBe(true);
    await end(first);
    expect(lane()).toEqual([]);
    enter({ ...fourth, batchId: '5', enqueuedAt: 5 });
    await end(second);
    expect(lane()).toEqual(['3', '4', '5']);
    await end(third);
    expect(lane()).toEqual(['3', '4', '5']);
  });

  it('is not held back when no earlier batch waits', () => {
    const { ordering, holdback } = build();
    expect(holdback.hold(toTask(second))).toBe(false);
    ordering.wait(second);
    expect(holdback.hold(toTask(first))).toBe(false);
    expect(holdback.hold(toTask({ ...third, batchId: 'test_3' }))).toBe(false);
  });

  it('is not held back when memory is short, or too many batches are held back', () => {
    const small = build({ batches: 1_000, bytes: 25 });
    small.ordering.wait(first);
    const keeps = () => small.holdback.hold(toTask(second));
    expect([keeps(), keeps(), keeps(), keeps()]).toEqual([true, true, true, false]);
    const large = build();
    large.ordering.wait(first);
    const kept = Array.from({ length: 600 }, () => large.holdback.hold(toTask(second)));
    expect(kept.filter(Boolean)).toHaveLength(500);
  });
});
