/** `YYYY-MM-DD HH:MM:SS` in UTC, the only form of a time in the API and the read model. */
export function formatDateTime(msSince1970: number): string {
  return new Date(msSince1970).toISOString().slice(0, 19).replace('T', ' ');
}
