import { expect, it } from 'vitest';
import { emptyFold } from '../../../shared/events/fold.ts';
import { aCreation } from '../../../test/support/builders/record-event-builder.ts';
import { takeInOrder } from './take-in-order.ts';

/** Returns a partition with this many unread past entries, and with events at these times. */
function aHead(ahead: number, ...times: readonly number[]) {
  return {
    at: { topic: 'records', partition: 0, offset: 10n },
    end: 10n + BigInt(ahead),
    state: emptyFold,
    waiting: times.map((occurredAt) => ({
      ...aCreation('Account', {}, { occurredAt }),
      token: 't',
      sequence: 1,
    })),
  };
}

const timesOf = (taken: readonly { readonly occurredAt: number }[]) =>
  taken.map(({ occurredAt }) => occurredAt);

it('returns events of several partitions in order of time', () => {
  const heads = [aHead(0, 1, 4, 6), aHead(0, 2, 3, 5), aHead(0)];
  expect(timesOf(takeInOrder(heads))).toEqual([1, 2, 3, 4, 5, 6]);
  expect(heads.map(({ waiting }) => waiting)).toEqual([[], [], []]);
});

it('waits for a partition that may contain an earlier event', () => {
  const behind = aHead(5, 2);
  const heads = [aHead(5, 1, 4), behind, aHead(0, 3)];
  expect(timesOf(takeInOrder(heads))).toEqual([1, 2]);
  expect(takeInOrder(heads)).toEqual([]);
  behind.waiting.push(...aHead(0, 5).waiting);
  expect(timesOf(takeInOrder(heads))).toEqual([3, 4]);
});

it('keeps the order of a partition even if a clock was set back', () => {
  expect(timesOf(takeInOrder([aHead(0, 5, 1), aHead(0, 3)]))).toEqual([3, 5, 1]);
});
