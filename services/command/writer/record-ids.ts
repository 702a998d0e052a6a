import { randomInt } from 'node:crypto';
import { recordIdEpochMs } from '../../../shared/domain/record/record-id-time.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';

const COUNTER_LIMIT = 1 << 26;
const LOW_BITS = 24;
const LOW_MASK = (1 << LOW_BITS) - 1;
const LOW_DIGITS = 6;
const HIGH_DIGITS = 11;

/**
 * Creates ids of 17 lower-case hex characters that sort by time: 42 bits of milliseconds since 2020, and a counter of
 * 26 bits that starts at a random value in each millisecond. Only the owner of a partition creates ids that hash to it,
 * so two instances never create the same one.
 */
export function createRecordIds(now: () => number, partitions: number) {
  let lastMs = 0;
  let counter = 0;
  let high = -1;
  let highDigits = '';

  function next(): string {
    const ms = Math.max(now() - recordIdEpochMs, lastMs);
    if (ms > lastMs) {
      lastMs = ms;
      counter = randomInt(COUNTER_LIMIT / 2);
    } else {
      counter += 1;
      if (counter >= COUNTER_LIMIT) {
        lastMs += 1;
        counter = 0;
      }
    }
    // 11 digits of time and the counter's two highest bits, 6 digits of the rest: numbers stay below 2^53.
    const wanted = lastMs * 4 + (counter >>> LOW_BITS);
    if (wanted !== high) {
      high = wanted;
      highDigits = high.toString(16).padStart(HIGH_DIGITS, '0');
    }
    return highDigits + (counter & LOW_MASK).toString(16).padStart(LOW_DIGITS, '0');
  }

  return {
    /** Returns a new id whose record is in this partition. */
    inPartition(partition: number): string {
      for (;;) {
        const id = next();
        if (partitionOf(id, partitions) === partition) return id;
      }
    },
    next,
  };
}
