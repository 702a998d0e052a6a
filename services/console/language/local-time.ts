import { parseTime } from './format.ts';
import { clockIn, toLocalIso } from './zone-clock.ts';

/** Returns the day of a time in a time zone, by default the browser's: `2030-01-31`. */
export function localDay(time: Date, zone?: string): string {
  return toLocalIso(time, zone).slice(0, 10);
}

/** Converts an API time to a time without a zone, `2030-01-31T10:00:00`; empty if it is not a time. */
export function toLocal(text: string, zone?: string): string {
  const time = text === '' ? undefined : parseTime(text);
  return time === undefined ? '' : toLocalIso(time, zone);
}

/** Converts a time without a zone, such as `2030-01-31T10:00`, to an API time; null if it is not a time. */
export function toUtc(local: string, zone?: string): string | null {
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(local)) return null;
  const time = zone === undefined ? new Date(local) : timeIn(zone, local);
  return Number.isNaN(time.getTime()) ? null : toApiTime(time);
}

/** Converts the value of an input to an API time. Returns an invalid text unchanged, so that the server rejects it. */
export function toApiValue(local: string, zone: string | undefined): string | null {
  return local === '' ? null : (toUtc(local, zone) ?? local);
}

const DAY_MS = 86_400_000;

/**
 * Returns the time at which clocks of the zone show `local`. When clocks are set back, it is the first such time. A time
 * that clocks skip is read with the offset of the day before, so it is later by the skipped time.
 */
export function timeIn(zone: string, local: string): Date {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) return new Date(Number.NaN);
  const clock = clockIn(zone);
  const [before, after] = [asUtc - DAY_MS, asUtc + DAY_MS].map((near) => {
    const offset = Date.parse(`${clock(new Date(near))}Z`) - near;
    return asUtc - offset;
  });
  const candidates = [before, after].filter((one) => one !== undefined).map((one) => new Date(one));
  const shown = new Date(asUtc).toISOString().slice(0, 19);
  return candidates.find((one) => clock(one) === shown) ?? candidates[0] ?? new Date(Number.NaN);
}

export function toApiTime(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}
