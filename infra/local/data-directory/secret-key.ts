import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { OperatorError } from '../operator-error.ts';
import { readTextIfPresent, writePrivateFile } from './private-file.ts';

const KEY_BYTES = 32;

/**
 * The key under which the services encrypt secrets at rest: 64 hexadecimal characters, generated once. No second key is
 * generated while there is a file, or data that the first key may have encrypted.
 */
export function provideSecretKey(path: string, hasData = false): string {
  const kept = readTextIfPresent(path)?.trim();
  if (kept === undefined && hasData) {
    throw new OperatorError(
      `There is data, and ${path} is missing, without which its secrets cannot be read: restore it from a backup, or set ANNALS_SECRET_KEY. Is it lost, docs/operations/secrets.md says how to go on with another one.`,
    );
  }
  if (kept === undefined) {
    const made = randomBytes(KEY_BYTES).toString('hex');
    writePrivateFile(path, `${made}\n`);
    return made;
  }
  if (/^[0-9a-f]{64}$/.test(kept)) return kept;
  throw new OperatorError(
    `${path} does not hold a key of 64 hexadecimal characters: restore it from a backup, or start on a new ANNALS_DATA_DIR.`,
  );
}

/** The key of a data directory, unchecked; undefined where there is none. */
export function readSecretKey(dataDir: string | undefined): string | undefined {
  return dataDir === undefined ? undefined : readTextIfPresent(join(dataDir, 'secret.key'))?.trim();
}
