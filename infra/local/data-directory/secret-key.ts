import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { readTextIfPresent, writePrivateFile } from './private-file.ts';

const KEY_BYTES = 32;

/**
 * Returns the key with which the services encrypt secrets at rest: 64 hexadecimal characters, generated once. Never
 * generates a second key if the file exists, or if there is data that the first key may have encrypted.
 */
export function provideSecretKey(path: string, hasData = false): string {
  const existing = readTextIfPresent(path)?.trim();
  if (existing === undefined && hasData) {
    throw new OperatorError(
      `The data directory contains data, but ${path} is missing, and the secrets in the data cannot be read without it: restore it from a backup, or set ANNALS_SECRET_KEY. If the key is lost, docs/operations/secrets.md explains how to continue with a new one.`,
    );
  }
  if (existing === undefined) {
    const generated = randomBytes(KEY_BYTES).toString('hex');
    writePrivateFile(path, `${generated}\n`);
    return generated;
  }
  if (/^[0-9a-f]{64}$/.test(existing)) return existing;
  throw new OperatorError(
    `${path} does not contain a key of 64 hexadecimal characters: restore it from a backup, or start with a new, empty ANNALS_DATA_DIR.`,
  );
}

/** Returns the key of a data directory, unvalidated; undefined if none exists. */
export function readSecretKey(dataDir: string | undefined): string | undefined {
  return dataDir === undefined ? undefined : readTextIfPresent(join(dataDir, 'secret.key'))?.trim();
}
