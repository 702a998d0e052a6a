import { randomBytes } from 'node:crypto';
import { OperatorError } from '../operator-error.ts';
import { readTextIfPresent, writePrivateFile } from './private-file.ts';

const keyBytes = 32;

/**
 * The key under which the services encrypt secrets at rest: 64 hexadecimal characters, made once.
 * It is never made anew while there is a file, for what it encrypted could then not be read again.
 */
export function provideSecretKey(path: string): string {
  const kept = readTextIfPresent(path)?.trim();
  if (kept === undefined) {
    const made = randomBytes(keyBytes).toString('hex');
    writePrivateFile(path, `${made}\n`);
    return made;
  }
  if (/^[0-9a-f]{64}$/.test(kept)) return kept;
  throw new OperatorError(
    `${path} does not hold a key of 64 hexadecimal characters: restore it from a backup, or start on a new ANNALS_DATA_DIR.`,
  );
}
