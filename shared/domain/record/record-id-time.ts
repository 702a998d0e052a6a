/** Record ids start with 42 bits of milliseconds since this epoch, followed by a 26-bit counter per millisecond. */
export const recordIdEpochMs = Date.UTC(2020, 0, 1);

/** The first digits of an id: the time, and two bits of a counter. */
const HIGH_DIGITS = 11;

/** Returns the time at which Annals created an id, in milliseconds since 1970. More exact than `createdAt`. */
export function timeOfRecordId(id: string): number {
  return recordIdEpochMs + Math.floor(Number.parseInt(id.slice(0, HIGH_DIGITS), 16) / 4);
}
