/** The longest pause that a receiver can request. */
const MAX_MS = 3_600_000;

/**
 * Returns the pause that a receiver requests by `Retry-After` (RFC 9110, section 10.2.3: seconds, or a date), in
 * milliseconds. Undefined if the header is missing or malformed.
 */
export function readRetryAfter(headers: readonly string[], now: number): number | undefined {
  const at = headers.findIndex(
    (text, index) => index % 2 === 0 && text.toLowerCase() === 'retry-after',
  );
  const value = at === -1 ? '' : (headers[at + 1] ?? '').trim();
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), MAX_MS);
}
