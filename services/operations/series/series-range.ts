const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

/** Each is a whole number of steps, and a step is never shorter than what is measured. */
export const seriesRanges = {
  '1h': { seconds: HOUR_SECONDS, stepSeconds: MINUTE_SECONDS / 2 },
  '24h': { seconds: DAY_SECONDS, stepSeconds: 10 * MINUTE_SECONDS },
  '7d': { seconds: 7 * DAY_SECONDS, stepSeconds: HOUR_SECONDS },
  '30d': { seconds: 30 * DAY_SECONDS, stepSeconds: 4 * HOUR_SECONDS },
} as const;

export type SeriesRange = keyof typeof seriesRanges;
