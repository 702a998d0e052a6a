const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The end of a period such as `10m`, as settings tell it, after a time in milliseconds; undefined for anything else. */
export function retryAt(attemptedAt: number, period: string): number | undefined {
  const [, number, unit = ''] = /^(\d+)(ms|[smhd])$/.exec(period) ?? [];
  const unitMs = unitsMs[unit];
  return unitMs === undefined ? undefined : attemptedAt + Number(number) * unitMs;
}
