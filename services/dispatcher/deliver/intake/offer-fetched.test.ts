import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { systemClock } from '../../../../shared/runtime/clock.ts';
import { createPartitionProgress, type OffsetRange } from '../progress/partition-progress.ts';
import { type OfferResult, offerFetched } from './offer-fetched.ts';

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
  const onHungry = vi.fn();
  const progress = createPartitionProgress({ topic, partition: 0, offset: 0n, metadata: '' });
  const source = offerFetched({
    progress,
    range,
    clock: systemClock,
    onHungry,
    offer({ offset }) {
      offered.push(offset);
      progress.begin(offset);
      return receptions.shift() ?? 'taken';
    },
  });
  return { source, receptions, offered, onHungry, progress };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('what was fetched', () => {
  it('is offered in order, then more is wanted', () => {
    const { source, offered, onHungry } = buildSource();
    source.give(read([0n, 1n, 2n], 5n));
    expect(offered).toEqual([0n, 1n, 2n]);
    expect(source).toMatchObject({ isHungry: true, position: { topic, partition: 0, offset: 5n } });
    expect(onHungry).toHaveBeenCalledOnce();
  });

  it('waits for the time of its first message', () => {
    const { source, receptions, offered } = buildSource();
    receptions.push('taken', { waitMs: 600_000 });
    source.give(read([0n, 1n], 2n));
    source.resume();
    vi.advanceTimersByTime(599_999);
    expect(offered).toEqual([0n, 1n]);
    expect(source.isHungry).toBe(false);
    vi.advanceTimersByTime(1);
    expect(offered).toEqual([0n, 1n, 1n]);
    expect(source.isHungry).toBe(true);
  });

  it('is offered again when there is room, and after a while without being told', () => {
    const { source, receptions, offered } = buildSource();
    receptions.push('no room', 'no room', 'taken');
    source.give(read([0n], 1n));
    source.resume();
    expect(offered).toEqual([0n, 0n]);
    vi.advanceTimersByTime(250);
    expect(offered).toEqual([0n, 0n, 0n]);
    vi.advanceTimersByTime(10_000);
    expect(offered).toHaveLength(3);
  });

  it('lets the position pass only what has begun', () => {
    const { source, receptions, progress } = buildSource();
    receptions.push('taken', { waitMs: 1_000 });
    source.give(read([0n, 7n], 9n));
    expect(progress.stepWith(new Set([0n])).position.offset).toBe(7n);
    vi.advanceTimersByTime(1_000);
    expect(progress.stepWith(new Set([0n, 7n])).position.offset).toBe(9n);
  });

  it('is offered up to the end of its range, and nothing more is wanted', () => {
    const { source, offered, onHungry } = buildSource({ from: 2n, to: 4n });
    expect(source).toMatchObject({ isHungry: true, position: { offset: 2n } });
    source.give(read([2n], 3n));
    expect(source).toMatchObject({ isHungry: true, position: { offset: 3n } });
    source.give(read([3n, 4n, 5n], 6n));
    expect(offered).toEqual([2n, 3n]);
    expect(source).toMatchObject({ isHungry: false, position: { offset: 4n } });
    expect(onHungry).toHaveBeenCalledOnce();
  });

  it('is forgotten when it is closed', () => {
    const { source, receptions, offered } = buildSource();
    receptions.push({ waitMs: 1_000 });
    source.give(read([0n], 1n));
    source.close();
    vi.advanceTimersByTime(5_000);
    source.resume();
    source.give(read([1n], 2n));
    expect(offered).toEqual([0n]);
  });
});
