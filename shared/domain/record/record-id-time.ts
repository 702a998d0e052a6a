/** Record ids begin with 42 bits of milliseconds since then, and go on with 26 bits that count within one. */
export const recordIdEpochMs = Date.UTC(2020, 0, 1);
