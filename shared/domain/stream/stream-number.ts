import { recordIdEpochMs } from '../record/record-id-time.ts';

/**
 * The number of an item of a stream: it grows with time and stays the same however often it is told, since it is made
 * of the event alone. Milliseconds since 2020 above 12 bits that tell the items of one millisecond apart; a safe
 * integer until 2089.
 */
const LOW = 4096;
/** Of those 12 bits: so many items may come of one version of a record. */
const ITEMS_PER_VERSION = 32;
const VERSIONS = LOW / ITEMS_PER_VERSION;

/** The lowest number that an item of this moment has. */
export function numberAt(msSince1970: number): number {
  return (msSince1970 - recordIdEpochMs) * LOW;
}

/** The moment, in milliseconds since 1970, in which a number lies. */
export function momentOf(number: number): number {
  return Math.floor(number / LOW) + recordIdEpochMs;
}

/** Of what an event tells; `index` counts the items that come of the same event. */
export function numberOfEvent(
  { occurredAt, version }: { readonly occurredAt: number; readonly version: number },
  index: number,
): number {
  const within = (version % VERSIONS) * ITEMS_PER_VERSION + Math.min(index, ITEMS_PER_VERSION - 1);
  return numberAt(occurredAt) + within;
}

const LOW_DIGITS = 6;
const ID_DIGITS = 17;
/** The first 11 digits of an id are its milliseconds and 2 bits of the counter, the other 6 are the 24 bits below. */
const HIGH_DIGITS = ID_DIGITS - LOW_DIGITS;
const LOW_SHIFT = 14;

/** Of a record as such: its id tells when it was made. */
export function numberOfId(id: string): number {
  const high = Number.parseInt(id.slice(0, HIGH_DIGITS), 16);
  const low = Number.parseInt(id.slice(HIGH_DIGITS, ID_DIGITS), 16);
  return high * (LOW / 4) + (low >>> LOW_SHIFT);
}

/** Ids from this one on have this number or a higher one. */
export function firstIdOf(number: number): string {
  const high = Math.floor(number / (LOW / 4));
  const low = (number % (LOW / 4)) << LOW_SHIFT;
  return high.toString(16).padStart(HIGH_DIGITS, '0') + low.toString(16).padStart(LOW_DIGITS, '0');
}
