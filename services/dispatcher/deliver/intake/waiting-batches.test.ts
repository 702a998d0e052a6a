import { describe, expect, it } from 'vitest';
import { buildBatch } from '../../../../test/support/builders/build-batch.ts';
import { createPartitionProgress } from '../progress/partition-progress.ts';
import { createWaitingBatches } from './waiting-batches.ts';

const progress = createPartitionProgress({ topic: 't', partition: 0, offset: 0n, metadata: '' });
const task = (webhookId: string, enqueuedAt: number) => ({
  progress,
  offset: BigInt(enqueuedAt),
  batch: { ...buildBatch(webhookId), enqueuedAt },
  bytes: 1,
});

describe('waiting batches', () => {
  it('are counted in all partitions, by webhook and by age', () => {
    const waiting = createWaitingBatches();
    const [one, other] = [waiting.share(), waiting.share()];
    expect(waiting.oldestEnqueuedAt()).toBeUndefined();
    const oldest = task('w1', 10);
    one.begin(oldest);
    one.begin(task('w1', 20));
    other.begin(task('w2', 30));
    expect([waiting.count(), waiting.webhooks(), waiting.oldestEnqueuedAt()]).toEqual([3, 2, 10]);
    one.end(oldest);
    expect([waiting.count(), waiting.webhooks(), waiting.oldestEnqueuedAt()]).toEqual([2, 2, 20]);
    one.close();
    expect([waiting.count(), waiting.webhooks(), waiting.oldestEnqueuedAt()]).toEqual([1, 1, 30]);
  });
});
