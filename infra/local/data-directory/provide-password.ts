import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { readTextIfPresent, writePrivateFile } from './private-file.ts';

/** Returns the password in this file, which only its owner can read. Generates it at the first call. */
export function providePassword(path: string): string {
  const existing = readTextIfPresent(path)?.trim();
  if (existing) return existing;
  const generated = randomBytes(24).toString('hex');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writePrivateFile(path, `${generated}\n`);
  return generated;
}
