import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../shared/runtime/clock.ts';
import { type OffsetRange, PartitionProgress } from '../progress/partition-progress.ts';
import { FetchedRange, type OfferResult } from './fetch-batches.ts';

const topic = 'batches';
const read = (offsets: readonly bigint[], nextOffset: bigint) => ({
  topic,
  partition: 0,
  offset: 0n,
  nextOffset,
  messages: offsets.map((offset) => ({
    offset,
    key: null,
    value: null,
    timestamp: 0,
    proof: 'none' as const,
  })),
});

function buildSource(range: OffsetRange = { from: 0n }) {
  const receptions: OfferResult[] = [];
  const offered: bigint[] = [];
  const onDrained = vi.fn();
  const progress = new PartitionProgress({ topic, partition: 0, offset: 0n, metadata: '' });
  const source = new FetchedRange(progress, range, {
    clock: systemClock,
    onDrained,
    offer({ offset }) {
      offered.push(offset);
      progress.begin(offset);
      return receptions.shift() ?? 'taken';
    },
  });
  return { source, receptions, offered, onDrained, progress };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('fetched messages', () => {
  it('are offered in order until the range is drained', () => {
    const { source, offered, onDrained } = buildSource();
    source.accept(read([0n, 1n, 2n], 5n));
    expect(offered).toEqual([0n, 1n, 2n]);
    expect([source.isDrained, source.position]).toEqual([
      true,
      { topic, partition: 0, offset: 5n },
    ]);
    expect(onDrained).toHaveBeenCalledOnce();
  });

  it('wait until the first one is due', () => {
    const { source, receptions, offered } = buildSource();
    receptions.push('taken', { waitMs: 600_000 });
    source.accept(read([0n, 1n], 2n));
    source.resume();
    vi.advanceTimersByTime(599_999);
    expect(offered).toEqual([0n, 1n]);
    expect(source.isDrained).toBe(false);
    vi.advanceTimersByTime(1);
    expect(offered).toEqual([0n, 1n, 1n]);
    expect(source.isDrained).toBe(true);
  });

  it('are offered again when there is room or after a while', () => {
    const { source, receptions, offered } = buildSource();
    receptions.push('no room', 'no room', 'taken');
    source.accept(read([0n], 1n));
    source.resume();
    expect(offered).toEqual([0n, 0n]);
    vi.advanceTimersByTime(250);
    expect(offered).toEqual([0n, 0n, 0n]);
    vi.advanceTimersByTime(10_000);
    expect(offered).toHaveLength(3);
  });

  it('do not move the position until they are taken', () => {
    const { source, receptions, progress } = buildSource();
    receptions.push('taken', { waitMs: 1_000 });
    source.accept(read([0n, 7n], 9n));
    expect(progress.stepWith(new Set([0n])).position.offset).toBe(7n);
    vi.advanceTimersByTime(1_000);
    expect(progress.stepWith(new Set([0n, 7n])).position.offset).toBe(9n);
  });

  it('are offered up to the end of a range that is not yet drained', () => {
    const { source, offered, onDrained } = buildSource({ from: 2n, to: 4n });
    expect([source.isDrained, source.position.offset]).toEqual([true, 2n]);
    source.accept(read([2n], 3n));
    expect([source.isDrained, source.position.offset]).toEqual([true, 3n]);
    source.accept(read([3n, 4n, 5n], 6n));
    expect(offered).toEqual([2n, 3n]);
    expect([source.isDrained, source.position.offset]).toEqual([false, 4n]);
    expect(onDrained).toHaveBeenCalledOnce();
  });

  it('are discarded on close', () => {
    const { source, receptions, offered } = buildSource();
    receptions.push({ waitMs: 1_000 });
    source.accept(read([0n], 1n));
    source.close();
    vi.advanceTimersByTime(5_000);
    source.resume();
    source.accept(read([1n], 2n));
    expect(offered).toEqual([0n]);
  });
});
