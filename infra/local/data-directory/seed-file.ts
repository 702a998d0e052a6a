import { randomBytes } from 'node:crypto';
import { isObject } from '../../../shared/domain/value/attribute-values.ts';
import { OperatorError } from '../operator-error.ts';
import { parseJson } from '../try-or.ts';
import { readTextIfPresent, writePrivateJson } from './private-file.ts';

const seedFields = {
  admin: ['userName', 'password'],
  user: ['userName', 'password'],
  apiKey: ['userName', 'apiKey'],
  hmac: ['userName', 'apiKey', 'secretKey'],
} as const;

/** The users of a new installation. The api seeds an empty directory from this file. */
export type SeedFile = {
  readonly [User in keyof typeof seedFields]: Readonly<
    Record<(typeof seedFields)[User][number], string>
  >;
};

/** Reads the seed of the data directory. Generates it on the first start. */
export function provideSeed(path: string): SeedFile {
  if (readTextIfPresent(path) === undefined) writePrivateJson(path, makeSeed());
  return readSeedFile(path);
}

/** Reads a seed file, possibly the operator's own, and reports all of its problems together. */
export function readSeedFile(path: string): SeedFile {
  const text = readTextIfPresent(path);
  if (text === undefined) {
    throw new OperatorError(
      `The seed file ${path} does not exist: correct ANNALS_SEED_FILE, or unset it.`,
    );
  }
  const seed = parseJson(text);
  const problems = findSeedProblems(seed);
  if (problems.length === 0) return seed as SeedFile;
  throw new OperatorError(`The seed file ${path} is invalid: ${problems.join(', ')}.`);
}

/** Generates a seed with new keys and passwords. */
export function makeSeed(): SeedFile {
  return {
    admin: { userName: 'admin', password: makePassword() },
    user: { userName: 'user', password: makePassword() },
    apiKey: { userName: 'api-key', apiKey: makeKey() },
    hmac: { userName: 'api-hmac', apiKey: makeKey(), secretKey: makeKey() },
  };
}

/** 120 bits. */
export const makePassword = (): string => randomBytes(15).toString('base64url');
const makeKey = (): string => randomBytes(16).toString('hex');

function findSeedProblems(seed: unknown): readonly string[] {
  if (!isObject(seed)) return ['it is not a JSON object'];
  return Object.entries(seedFields).flatMap(([user, fields]) => {
    const entry = isObject(seed[user]) ? seed[user] : {};
    return fields
      .filter((field) => typeof entry[field] !== 'string' || entry[field] === '')
      .map((field) => `${user}.${field} is missing`);
  });
}
