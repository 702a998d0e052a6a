/** Reads the monotonic clock, which all processes of a machine share. */
export function markTime(): string {
  return `t=${process.hrtime.bigint()};`;
}

/** Returns milliseconds since the mark within these bytes was made; undefined without one. */
export function sinceMarkMs(bytes: Buffer): number | undefined {
  const start = bytes.indexOf('t=');
  const end = bytes.indexOf(';', start);
  if (start === -1 || end === -1) return undefined;
  const text = bytes.toString('latin1', start + 2, end);
  return /^\d+$/.test(text) ? Number(process.hrtime.bigint() - BigInt(text)) / 1e6 : undefined;
}
