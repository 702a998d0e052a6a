import { parseTime } from './format.ts';

/** Returns the day of a time in the browser's time zone: `2030-01-31`. */
export function localDay(time: Date): string {
  return toLocalIso(time).slice(0, 10);
}

/** Converts an API time to the format of `datetime-local` inputs, in the browser's time zone. */
export function toLocal(text: string): string {
  const time = text === '' ? undefined : parseTime(text);
  return time === undefined ? '' : toLocalIso(time);
}

function toLocalIso(time: Date): string {
  // getTimezoneOffset() returns whole minutes, but historic offsets have seconds.
  const day = [padded(time.getFullYear(), 4), padded(time.getMonth() + 1), padded(time.getDate())];
  const clock = [time.getHours(), time.getMinutes(), time.getSeconds()];
  return `${day.join('-')}T${clock.map((one) => padded(one)).join(':')}`;
}

function padded(part: number, length = 2): string {
  return String(part).padStart(length, '0');
}

/** Converts the value of a `datetime-local` input to an API time; null if it is not a time. */
export function toUtc(local: string): string | null {
  const time = new Date(local);
  if (local === '' || Number.isNaN(time.getTime())) return null;
  return toApiTime(time);
}

export function toApiTime(time: Date): string {
  return time.toISOString().slice(0, 19).replace('T', ' ');
}
