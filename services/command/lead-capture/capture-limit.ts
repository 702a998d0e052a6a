/** Maximum number of keys. Above it, the key with the oldest window is dropped. */
const MAX_KEYS = 10_000;
const WINDOW_MS = 60_000;

/**
 * Counts requests per key in one-minute windows. Returns undefined for a request within the limit, otherwise the number
 * of seconds until the next window.
 */
export function createCaptureLimit(
  maxPerMinute: number,
  now: () => number,
): (key: string) => number | undefined {
  const windows = new Map<string, { readonly since: number; readonly count: number }>();

  return (key) => {
    const time = now();
    const found = windows.get(key);
    const isCurrent = found !== undefined && time - found.since < WINDOW_MS;
    if (isCurrent && found.count >= maxPerMinute) {
      return Math.ceil((found.since + WINDOW_MS - time) / 1000);
    }
    if (!isCurrent) windows.delete(key);
    windows.set(key, isCurrent ? { ...found, count: found.count + 1 } : { since: time, count: 1 });
    const [oldest] = windows.keys();
    if (windows.size > MAX_KEYS && oldest !== undefined) windows.delete(oldest);
    return undefined;
  };
}
