import { readMoment } from '../../../shared/http/read-time.ts';
import { badParameter, type Query } from '../request/read-parameters.ts';

const name = 'asOf';
/** The last millisecond of a second. */
const LAST_MILLISECOND = 999;

/**
 * Returns the past time that a query requests, in milliseconds since 1970; undefined for the present. The API shows
 * times in seconds, so a time without a fraction includes everything that happened in that second. An empty value is
 * rejected, unlike in other parameters, because ignoring it would silently return the state at another time.
 */
export function readAsOf(query: Query): number | undefined {
  const keys = Object.keys(query).filter((key) => key.split('[', 1)[0] === name);
  if (keys.length === 0) return undefined;
  const given = query[name];
  if (keys.length > 1 || typeof given !== 'string') {
    throw badParameter(`${name} must not be repeated.`);
  }
  const { at, hasFraction } = readMoment(given, name);
  return hasFraction ? at : at + LAST_MILLISECOND;
}
