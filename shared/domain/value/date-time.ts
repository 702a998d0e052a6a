/**
 * Formats a time as `YYYY-MM-DD HH:MM:SS` in UTC, the only format in the API and the read model. Times outside the years
 * 1 to 9999, which neither this format nor Postgres supports, are clamped.
 */
export function formatDateTime(msSince1970: number): string {
  const second = Math.floor(msSince1970 / 1000);
  // Cache the last second: consecutive events often share it.
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
