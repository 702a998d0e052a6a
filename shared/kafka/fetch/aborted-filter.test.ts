import { describe, expect, it } from 'vitest';
import { createAbortedFilter } from './aborted-filter.ts';

interface Log {
  readonly producer?: bigint;
  readonly kind?: 'plain' | 'transaction' | 'aborted' | 'committed';
}

/** Returns one batch for each entry, with one record, starting at the offset. */
function batches(from: bigint, ...log: readonly Log[]) {
  return log.map(({ producer = -1n, kind = 'plain' }, index) => {
    const offset = from + BigInt(index);
    const isControl = kind === 'aborted' || kind === 'committed';
    const key = kind === 'aborted' ? '\0\0\0\0' : kind === 'committed' ? '\0\0\0\u0001' : 'key';
    const record = { offset, key, value: null, timestamp: 0, headers: {}, proof: 'none' as const };
    return {
      records: [record],
      isControl,
      inTransaction: kind !== 'plain',
      producerId: producer,
      next: offset + 1n,
    };
  });
}

const offsetsOf = (found: ReturnType<typeof batches>) => found.map(({ next }) => Number(next) - 1);

describe('createAbortedFilter', () => {
  it('accepts all but control batches if no transaction was aborted', () => {
    const log = batches(
      0n,
      { producer: 1n, kind: 'transaction' },
      {},
      { producer: 1n, kind: 'committed' },
      { producer: 2n, kind: 'aborted' },
      {},
    );
    expect(offsetsOf(log.filter(createAbortedFilter([])))).toEqual([0, 1, 4]);
  });

  it('rejects the batches of an aborted transaction up to its end', () => {
    const log = batches(
      0n,
      { producer: 1n, kind: 'transaction' },
      { producer: 1n, kind: 'committed' },
      { producer: 1n, kind: 'transaction' },
      { producer: 1n },
      { producer: 2n, kind: 'transaction' },
      { producer: 1n, kind: 'transaction' },
      { producer: 1n, kind: 'aborted' },
      { producer: 1n, kind: 'transaction' },
    );
    const aborted = [{ producerId: 1n, firstOffset: 2n }];
    expect(offsetsOf(log.filter(createAbortedFilter(aborted)))).toEqual([0, 3, 4, 7]);
  });

  it('rejects two earlier aborted transactions in any order', () => {
    const log = batches(
      10n,
      { producer: 2n, kind: 'transaction' },
      { producer: 1n, kind: 'transaction' },
      { producer: 1n, kind: 'aborted' },
      { producer: 2n, kind: 'transaction' },
      { producer: 2n, kind: 'aborted' },
      { producer: 2n, kind: 'transaction' },
    );
    const aborted = [
      { producerId: 1n, firstOffset: 6n },
      { producerId: 2n, firstOffset: 5n },
    ];
    expect(offsetsOf(log.filter(createAbortedFilter(aborted)))).toEqual([15]);
  });
});
