import { Refusal } from '../../../shared/domain/errors.ts';
import { readDateTime } from '../../../shared/domain/field/types/time/read-date-time.ts';

const name = 'asOf';

/**
 * The time that a query asks about, in milliseconds since 1970; undefined if it asks about the present. The API shows
 * times in seconds, so a time without a fraction stands for its whole second, with everything that happened in it.
 * Unlike other parameters, an empty one is refused: the answer would silently be of another time.
 */
export function readAsOf(query: Readonly<Record<string, unknown>>): number | undefined {
  const keys = Object.keys(query).filter((key) => key.split('[', 1)[0] === name);
  if (keys.length === 0) return undefined;
  const given = query[name];
  if (keys.length > 1 || typeof given !== 'string') throw invalid(`${name} must be given once.`);
  // A plus that the client did not encode arrives as a space.
  const text = given.replace(/(?<=T\S+) (?=\d\d(?::?\d\d)?$)/, '+');
  const utc = readDateTime({ field: name, attribute: name }, text, ({ message }) => {
    throw invalid(message);
  });
  if (typeof utc !== 'string') throw invalid(`${name} must not be empty.`);
  return Date.parse(`${utc.replace(' ', 'T')}Z`) + readMilliseconds(text);
}

function readMilliseconds(text: string): number {
  const fraction = /\.(\d+)/.exec(text)?.[1];
  return fraction === undefined ? 999 : Number(fraction.padEnd(3, '0').slice(0, 3));
}

function invalid(message: string): Refusal {
  return new Refusal('invalid', 'parameter.invalid', message);
}
