import { describe, expect, it } from 'vitest';
import { buildBatch } from '../../../../test/support/builders/build-batch.ts';
import { createInFlightWindow } from './in-flight-window.ts';
import { PartitionProgress } from './partition-progress.ts';

const progress = new PartitionProgress({ topic: 't', partition: 0, offset: 0n, metadata: '' });
const task = (webhookId: string, enqueuedAt: number) => ({
  progress,
  offset: BigInt(enqueuedAt),
  batch: { ...buildBatch(webhookId), enqueuedAt },
  bytes: 1,
});

describe('batches in flight', () => {
  it('are counted across all partitions by webhook and by age', () => {
    const window = createInFlightWindow({ batches: 10, bytes: 100 });
    const [one, other] = [window.open(), window.open()];
    expect(window.oldestEnqueuedAt()).toBeUndefined();
    const oldest = task('w1', 10);
    one.begin(oldest);
    one.begin(task('w1', 20));
    other.begin(task('w2', 30));
    expect([window.count(), window.webhooks(), window.oldestEnqueuedAt()]).toEqual([3, 2, 10]);
    one.end(oldest);
    expect([window.count(), window.webhooks(), window.oldestEnqueuedAt()]).toEqual([2, 2, 20]);
    one.close();
    expect([window.count(), window.webhooks(), window.oldestEnqueuedAt()]).toEqual([1, 1, 30]);
  });

  it('share memory across partitions, and a closed partition releases its memory', () => {
    const window = createInFlightWindow({ batches: 10, bytes: 100 });
    const [one, other] = [window.open(), window.open()];
    one.take(30);
    one.take(5);
    one.release(30);
    other.take(20);
    expect(one.free()).toEqual({ batches: 8, bytes: 75 });

    one.close();
    one.close();
    one.release(5);
    expect(other.free()).toEqual({ batches: 9, bytes: 80 });
  });
});
