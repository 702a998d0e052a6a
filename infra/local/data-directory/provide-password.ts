import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readTextIfPresent, writePrivateFile } from './private-file.ts';

/** The password in this file, for its owner only: made at the first call, and kept from then on. */
export function providePassword(path: string): string {
  const kept = readTextIfPresent(path)?.trim();
  if (kept) return kept;
  const made = randomBytes(24).toString('hex');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writePrivateFile(path, `${made}\n`);
  return made;
}
