import { Refusal } from '../../../shared/domain/errors.ts';

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;
const wireTime = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d(?::\d\d)?)$/;

/** `asOf` of a query in milliseconds since 1970: ISO 8601 with offset, or the wire's own form, in UTC. */
export function readAsOf(query: Readonly<Record<string, unknown>>): number | undefined {
  const { asOf } = query;
  if (asOf === undefined || asOf === '') return undefined;
  const time = typeof asOf === 'string' ? parseTime(asOf) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  throw new Refusal(
    'invalid',
    'parameter.invalid',
    "asOf must be one time, such as 2026-01-31T12:00:00Z or '2026-01-31 12:00:00'.",
  );
}

function parseTime(text: string): number {
  if (isoTime.test(text)) return Date.parse(text);
  const [, date, time] = wireTime.exec(text) ?? [];
  // The end of that second: what happened in it counts.
  return date === undefined ? Number.NaN : Date.parse(`${date}T${time}Z`) + 999;
}
