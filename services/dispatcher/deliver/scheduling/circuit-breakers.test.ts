import { beforeEach, describe, expect, it } from 'vitest';
import { buildBatch } from '../../../../test/support/builders/build-batch.ts';
import { CircuitBreakers } from './circuit-breakers.ts';

const MAX_OPEN_MS = 600_000;
let now: number;
let url: string;
let breakers: CircuitBreakers;

beforeEach(() => {
  now = 1_000_000;
  url = 'https://one.example';
  breakers = new CircuitBreakers(
    () => url,
    MAX_OPEN_MS,
    () => now,
  );
});

const batchOf = (change: Partial<ReturnType<typeof buildBatch>> = {}) => ({
  ...buildBatch('w1'),
  enqueuedAt: now,
  dueAt: now,
  ...change,
});

/** A new batch, enqueued a moment from now. */
function tryNew(): string | undefined {
  now += 1;
  return breakers.blockReason(batchOf(), true);
}

function failInARow(times: number): void {
  for (let time = 0; time < times; time++) breakers.recordFailure('w1');
}

/** Returns how long new batches are held. */
function openFor(): number {
  const begin = now;
  while (tryNew() !== undefined) now += 499;
  return now - begin;
}

describe('a breaker', () => {
  it('holds no batch of a webhook that has not failed', () => {
    breakers.recordFailure('another');
    expect(tryNew()).toBeUndefined();
  });

  it('holds batches that were enqueued before a failure until a delivery succeeds', () => {
    const before = batchOf();
    now += 10;
    breakers.recordFailure('w1');
    expect(breakers.blockReason(before, true)).toBe('webhook failed in this run');
    expect(tryNew()).toBeUndefined();
    breakers.recordSuccess('w1');
    expect(breakers.blockReason(before, true)).toBeUndefined();
  });

  it('opens at the third consecutive failure and doubles its time with each further one', () => {
    failInARow(2);
    expect(breakers.countOpen()).toBe(0);
    const times = Array.from({ length: 12 }, () => {
      breakers.recordFailure('w1');
      expect(breakers.countOpen()).toBe(1);
      return Math.round(openFor() / 1_000);
    });
    expect(times).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600]);
    expect(breakers.countOpen()).toBe(0);
  });

  it('closes after a success', () => {
    failInARow(10);
    breakers.recordSuccess('w1');
    breakers.recordFailure('w1');
    expect(tryNew()).toBeUndefined();
    expect(breakers.countOpen()).toBe(0);
  });

  it('closes when the URL of the webhook changes', () => {
    failInARow(10);
    url = 'https://two.example';
    expect(tryNew()).toBeUndefined();
  });

  it('holds batches that were never sent but not retries', () => {
    failInARow(10);
    now += 10;
    expect(breakers.blockReason(batchOf(), false)).toBe('webhook keeps failing');
    expect(breakers.blockReason(batchOf({ attemptsMade: 1 }), false)).toBeUndefined();
  });

  it('does not hold redelivered batches until one of them fails', () => {
    failInARow(10);
    const [first, second] = [1, 2].map(() => batchOf({ enqueuedAt: 0, dueAt: now + 5 }));
    now += 10;
    if (first === undefined || second === undefined) throw new Error('two batches are there');
    expect(breakers.blockReason(first, true)).toBeUndefined();
    breakers.recordFailure('w1');
    expect(breakers.blockReason(second, true)).toBe('webhook failed in this run');
  });

  it('stays open for the pause that the receiver requests', () => {
    breakers.recordFailure('w1', now + 90_000);
    expect(breakers.countOpen()).toBe(1);
    expect(Math.round(openFor() / 1_000)).toBe(90);
  });
});
