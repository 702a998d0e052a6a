/**
 * Formats a time as `YYYY-MM-DD HH:MM:SS` in UTC, the only format in the API and the read model. Times outside the years
 * 1 to 9999, which neither this format nor Postgres supports, are clamped.
 */
export function formatDateTime(msSince1970: number): string {
  const second = Math.floor(msSince1970 / 1000);
  // Caches the last second, because consecutive events often share it.
  if (second !== last.second) {
    const storable = Math.min(Math.max(msSince1970, FIRST_MS), LAST_MS);
    last.text = new Date(storable).toISOString().slice(0, 19).replace('T', ' ');
    last.second = second;
  }
  return last.text;
}

const FIRST_MS = Date.parse('0001-01-01T00:00:00Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59Z');

const last = { second: Number.NaN, text: '' };

const DAY_MS = 86_400_000;

/**
 * The clock of a time zone. Local times and days are given in ms since 1970, as if they were UTC times with the same
 * digits.
 */
export interface LocalClock {
  /**
   * Returns the UTC time of a local time. If the clock shows that time twice, returns the earlier UTC time. A skipped
   * local time is moved forward by the length of the gap, as in PHP and in Temporal's `compatible` mode.
   */
  readonly toUtc: (localMs: number) => number;
  /** Returns the local time at a UTC time. */
  readonly toLocal: (utcMs: number) => number;
  /** Returns the local day at a UTC time. */
  readonly dayAt: (utcMs: number) => number;
}

/** Throws a RangeError for an unknown time zone. */
export function createLocalClock(timeZone: string): LocalClock {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  const offsetAt = (utcMs: number) => parseOffset(format.format(utcMs));
  const toLocal = (utcMs: number) => utcMs + offsetAt(utcMs);
  return {
    toLocal,
    toUtc(localMs) {
      const before = offsetAt(localMs - DAY_MS);
      const after = offsetAt(localMs + DAY_MS);
      const candidates = [localMs - Math.max(before, after), localMs - Math.min(before, after)];
      return candidates.find((utcMs) => toLocal(utcMs) === localMs) ?? localMs - before;
    },
    dayAt: (utcMs) => Math.floor(toLocal(utcMs) / DAY_MS) * DAY_MS,
  };
}

/** Parses the end of `1/1/2030, GMT+02:00`. Offsets from before the standardization of time zones also have seconds. */
function parseOffset(formatted: string): number {
  const [, sign, hours, minutes, seconds = 0] = offsetForm.exec(formatted) ?? [];
  if (sign === undefined) return 0;
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}

const offsetForm = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/;
