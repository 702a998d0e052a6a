import { Refusal } from '../domain/errors.ts';
import { type Moment, momentForms, parseMoment } from '../domain/field/types/time/parse-moment.ts';

/** Parses a time from a client into milliseconds since 1970. */
export function readTime(input: unknown, name: string): number {
  return readMoment(input, name).at;
}

export function readMoment(input: unknown, name: string): Moment {
  // An unencoded plus sign arrives as a space.
  const text =
    typeof input === 'string' ? input.replace(/(?<=T\S+) (?=\d\d(?::?\d\d)?$)/, '+') : input;
  const moment = parseMoment(text, { isOfThisHost: false });
  if (moment !== undefined) return moment;
  throw new Refusal('invalid', 'parameter.invalid', `${name} must be ${momentForms}.`);
}
