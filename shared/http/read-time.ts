import { Refusal } from '../domain/errors.ts';
import { readDateTime } from '../domain/field/types/time/read-date-time.ts';

/** A time from a client, in milliseconds since 1970: ISO 8601, or `YYYY-MM-DD HH:MM:SS` in UTC. */
export function readTime(given: unknown, name: string): number {
  // A plus that the client did not encode arrives as a space.
  const text =
    typeof given === 'string' ? given.replace(/(?<=T\S+) (?=\d\d(?::?\d\d)?$)/, '+') : given;
  const utc = readDateTime({ field: name, attribute: name }, text, ({ message }) => {
    throw new Refusal('invalid', 'parameter.invalid', message);
  });
  if (typeof utc !== 'string') {
    throw new Refusal('invalid', 'parameter.invalid', `${name} must be a time.`);
  }
  const fraction = /\.(\d+)/.exec(String(text))?.[1] ?? '0';
  return Date.parse(`${utc.replace(' ', 'T')}Z`) + Number(fraction.padEnd(3, '0').slice(0, 3));
}
