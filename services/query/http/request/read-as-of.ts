import { readMoment } from '../../../../shared/http/read-time.ts';
import { badParameter, type Query } from './read-parameters.ts';

const name = 'asOf';
/** The last one of a second. */
const LAST_MILLISECOND = 999;

/**
 * The time that a query asks about, in milliseconds since 1970; undefined if it asks about the present. The API shows
 * times in seconds, so a time without a fraction stands for its whole second, with everything that happened in it.
 * Unlike other parameters, an empty one is refused: the answer would silently be of another time.
 */
export function readAsOf(query: Query): number | undefined {
  const keys = Object.keys(query).filter((key) => key.split('[', 1)[0] === name);
  if (keys.length === 0) return undefined;
  const given = query[name];
  if (keys.length > 1 || typeof given !== 'string') {
    throw badParameter(`${name} must be given once.`);
  }
  const { at, hasFraction } = readMoment(given, name);
  return hasFraction ? at : at + LAST_MILLISECOND;
}
