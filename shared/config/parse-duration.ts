const units = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const form = /^(\d{1,9})(ms|s|m|h|d)$/;

/** Parses `5m`, `10s`, `1h`, `500ms`, `2d` or `0` to milliseconds. Undefined for other text, such as numbers without a unit. */
export function parseDuration(text: string): number | undefined {
  if (text === '0') return 0;
  const [, count, unit] = form.exec(text) ?? [];
  return unit === undefined ? undefined : Number(count) * units[unit as keyof typeof units];
}
