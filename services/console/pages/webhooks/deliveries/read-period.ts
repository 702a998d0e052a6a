const unitsMs: Readonly<Record<string, number>> = {
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Parses a period of the settings, such as `10m`, to milliseconds; undefined if it is malformed. */
export function readPeriod(period: string): number | undefined {
  const [, number, unit = ''] = /^(\d+)(ms|[smhd])$/.exec(period) ?? [];
  const unitMs = unitsMs[unit];
  return unitMs === undefined ? undefined : Number(number) * unitMs;
}
