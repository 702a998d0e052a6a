/** The steps of a chart. Times are in milliseconds since 1970. */
export interface SeriesFrame {
  readonly from: number;
  readonly to: number;
  readonly stepMs: number;
  /** Before `to` if the last step is unfinished. */
  readonly now: number;
}

/** One number for each step; null for a step without a measurement. */
export type SeriesLine = readonly (number | null)[];

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;
const MS = 1_000;

/** Each range is a whole number of steps, and each step a whole number of minutes. */
export const seriesRanges = {
  '1h': { seconds: HOUR_SECONDS, stepSeconds: MINUTE_SECONDS },
  '24h': { seconds: DAY_SECONDS, stepSeconds: 10 * MINUTE_SECONDS },
  '7d': { seconds: 7 * DAY_SECONDS, stepSeconds: HOUR_SECONDS },
  '30d': { seconds: 30 * DAY_SECONDS, stepSeconds: 4 * HOUR_SECONDS },
} as const;

export type SeriesRange = keyof typeof seriesRanges;

/** An unfinished step is shown once a sixth of it has passed: a rate over a shorter time would jump. */
const LEAST_PART = 6;

/** Returns the frame of a range that ends now. Steps begin at multiples of their length. */
export function frameOf(range: SeriesRange, now: number): SeriesFrame {
  const stepMs = seriesRanges[range].stepSeconds * MS;
  const to = Math.ceil((now - stepMs / LEAST_PART) / stepMs) * stepMs;
  return { from: to - seriesRanges[range].seconds * MS, to, stepMs, now };
}

/** Computes a number for each step from its index, its end, and the number of its seconds that have passed. */
export function drawLine(
  { from, to, stepMs, now }: SeriesFrame,
  read: (step: {
    readonly index: number;
    readonly end: number;
    readonly seconds: number;
  }) => number | undefined,
): SeriesLine {
  return Array.from({ length: (to - from) / stepMs }, (_, index) => {
    const start = from + index * stepMs;
    const end = start + stepMs;
    return read({ index, end, seconds: (Math.min(end, now) - start) / MS }) ?? null;
  });
}
