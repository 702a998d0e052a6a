import { Refusal } from '../domain/errors.ts';
import { type Moment, momentForms, parseMoment } from '../domain/field/types/time/parse-moment.ts';

/** A time from a client, in milliseconds since 1970. */
export function readTime(given: unknown, name: string): number {
  return readMoment(given, name).at;
}

export function readMoment(given: unknown, name: string): Moment {
  // A plus that the client did not encode arrives as a space.
  const text =
    typeof given === 'string' ? given.replace(/(?<=T\S+) (?=\d\d(?::?\d\d)?$)/, '+') : given;
  const moment = parseMoment(text, { isOfThisHost: false });
  if (moment !== undefined) return moment;
  throw new Refusal('invalid', 'parameter.invalid', `${name} has to be ${momentForms}.`);
}
