import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode } from '../operator-error.ts';
import { parseJson } from '../parse-json.ts';

/**
 * Writes a file that only its owner can read, entirely or not at all. Synchronous, so that nothing happens between an
 * action (a started process, a chosen key) and the record of it.
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

/** Does not write unchanged content, so that a full disk does not matter then. */
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

/** Reads a record of an earlier run. A damaged one counts as missing: each can be recreated. */
export function readJsonIfPresent(path: string): unknown {
  const text = readTextIfPresent(path);
  return text === undefined ? undefined : parseJson(text);
}
