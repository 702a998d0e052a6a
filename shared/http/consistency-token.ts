import { Refusal } from '../domain/errors.ts';

/** The position of a write in the log. */
interface LogPlace {
  readonly log: 'records' | 'directory';
  readonly partition: number;
  /** -1 if there is nothing to wait for. */
  readonly offset: bigint;
}

const pattern = /^([rd])(\d{1,6})-(-1|\d{1,19})$/;
/** Maximum number of partitions in a token. */
const MAX_PLACES = 1_000;

/** Returns a token that is opaque to clients. */
export function toConsistencyToken({ log, partition, offset }: LogPlace): string {
  return `${log === 'records' ? 'r' : 'd'}${partition}-${offset}`;
}

/** Joins the tokens from several writes into one token that contains the last position in each partition. */
export function joinConsistencyTokens(tokens: readonly string[]): string {
  const [only, ...others] = tokens;
  if (only !== undefined && others.length === 0) return only;
  const last = new Map<string, LogPlace>();
  for (const place of tokens.flatMap(readConsistencyToken)) {
    const key = `${place.log} ${place.partition}`;
    const known = last.get(key);
    if (known === undefined || known.offset < place.offset) last.set(key, place);
  }
  return [...last.values()].map(toConsistencyToken).join(',');
}

/** Parses the X-Consistency-Token header of a read: one token, or several separated by commas. */
export function readConsistencyToken(header: string | readonly string[]): readonly LogPlace[] {
  const tokens = [header].flat().flatMap((one) => one.split(','));
  const places = tokens.map((token) => toPlace(token.trim()));
  if (places.length > MAX_PLACES) throw badToken();
  return places;
}

function toPlace(token: string): LogPlace {
  const [, log, partition, offset] = pattern.exec(token) ?? [];
  if (offset === undefined) throw badToken();
  return {
    log: log === 'r' ? 'records' : 'directory',
    partition: Number(partition),
    offset: BigInt(offset),
  };
}

function badToken(): Refusal {
  const message = `X-Consistency-Token must be a token from a write response, or several of them separated by commas.`;
  return new Refusal('invalid', 'consistency_token.invalid', message);
}
