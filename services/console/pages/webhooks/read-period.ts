const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** The milliseconds of a period such as `10m`, as settings tell it; undefined for anything else. */
export function readPeriod(period: string): number | undefined {
  const [, number, unit = ''] = /^(\d+)(ms|[smhd])$/.exec(period) ?? [];
  const unitMs = unitsMs[unit];
  return unitMs === undefined ? undefined : Number(number) * unitMs;
}
