/** Record ids start with 42 bits of milliseconds since this epoch, followed by a 26-bit counter per millisecond. */
export const recordIdEpochMs = Date.UTC(2020, 0, 1);
