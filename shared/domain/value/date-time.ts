/**
 * `YYYY-MM-DD HH:MM:SS` in UTC, the only form of a time in the API and the read model. Times beyond the years 1 to 9999,
 * which this form and Postgres cannot express, become the first or the last one.
 */
export function formatDateTime(msSince1970: number): string {
  const second = Math.floor(msSince1970 / 1000);
  // Most are asked for again at once: events of the same second follow each other.
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
