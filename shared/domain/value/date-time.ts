/** `YYYY-MM-DD HH:MM:SS` in UTC, the only form of a time in the API and the read model. */
export function formatDateTime(msSince1970: number): string {
  const second = Math.floor(msSince1970 / 1000);
  // Most are asked for again at once: events of the same second follow each other.
  if (second !== last.second) {
    last.text = new Date(msSince1970).toISOString().slice(0, 19).replace('T', ' ');
    last.second = second;
  }
  return last.text;
}

const last = { second: Number.NaN, text: '' };
