import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCode } from '../operator-error.ts';
import { parseJson } from '../try-or.ts';

/**
 * Atomically writes a file that only its owner can read. Synchronous, so that nothing happens between an action
 * (starting a process, choosing a key) and its record.
 */
export function writePrivateFile(path: string, content: string): void {
  const unfinished = `${path}.${process.pid}.new`;
  try {
    writeFileSync(unfinished, content, { mode: 0o600, flush: true });
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
}

/** Skips the write if the content is unchanged, so that it cannot fail because of a full disk. */
export function writeIfChanged(path: string, content: string): void {
  if (readTextIfPresent(path) !== content) writePrivateFile(path, content);
}

export function writePrivateJson(path: string, value: unknown): void {
  writePrivateFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

export function readTextIfPresent(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Reads a file from an earlier run. A damaged file counts as missing, because each of these files can be recreated. */
export function readJsonIfPresent(path: string): unknown {
  const text = readTextIfPresent(path);
  return text === undefined ? undefined : parseJson(text);
}

/** Returns the password in this file, which only its owner can read. Generates it on the first call. */
export function providePassword(path: string): string {
  const existing = readTextIfPresent(path)?.trim();
  if (existing) return existing;
  const generated = randomBytes(24).toString('hex');
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  writePrivateFile(path, `${generated}\n`);
  return generated;
}
