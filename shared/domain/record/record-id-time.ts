/**
 * Record ids begin with 42 bits for the milliseconds since then, followed by a 26-bit counter within the millisecond.
 */
export const recordIdEpochMs = Date.UTC(2020, 0, 1);
