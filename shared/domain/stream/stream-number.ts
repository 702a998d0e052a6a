import { recordIdEpochMs } from '../record/record-id-time.ts';

/**
 * The number of a stream item increases with time and is stable, because it is computed from the event alone. It
 * consists of milliseconds since 2020 above 12 bits that distinguish items within a millisecond, and is a safe integer
 * until 2089.
 */
const LOW = 4096;
/** The number of items that one version of a record can have within its millisecond. */
const ITEMS_PER_VERSION = 32;
const VERSIONS = LOW / ITEMS_PER_VERSION;

/** Returns the lowest item number at this time. */
export function numberAt(msSince1970: number): number {
  return (msSince1970 - recordIdEpochMs) * LOW;
}

/** Returns the time of an item number, in milliseconds since 1970. */
export function momentOf(number: number): number {
  return Math.floor(number / LOW) + recordIdEpochMs;
}

/** Returns the number of an item from an event; `index` counts the items of that event. */
export function numberOfEvent(
  { occurredAt, version }: { readonly occurredAt: number; readonly version: number },
  index: number,
): number {
  const within = (version % VERSIONS) * ITEMS_PER_VERSION + Math.min(index, ITEMS_PER_VERSION - 1);
  return numberAt(occurredAt) + within;
}

const LOW_DIGITS = 6;
const ID_DIGITS = 17;
/** The first 11 digits of an id are milliseconds and 2 bits of the counter; the other 6 are the counter's low 24 bits. */
const HIGH_DIGITS = ID_DIGITS - LOW_DIGITS;
const LOW_SHIFT = 14;

/** Returns the number of a record, based on the creation time in its id. */
export function numberOfId(id: string): number {
  const high = Number.parseInt(id.slice(0, HIGH_DIGITS), 16);
  const low = Number.parseInt(id.slice(HIGH_DIGITS, ID_DIGITS), 16);
  return high * (LOW / 4) + (low >>> LOW_SHIFT);
}

/** Returns the lowest id whose number is at least this number. */
export function firstIdOf(number: number): string {
  const high = Math.floor(number / (LOW / 4));
  const low = (number % (LOW / 4)) << LOW_SHIFT;
  return high.toString(16).padStart(HIGH_DIGITS, '0') + low.toString(16).padStart(LOW_DIGITS, '0');
}
