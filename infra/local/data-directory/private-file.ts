import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { errorCode } from '../operator-error.ts';
import { parseJson } from '../parse-json.ts';

/**
 * Writes a file that only its owner reads, as a whole or not at all. Synchronous, so that nothing
 * happens between an act (a started process, a chosen key) and the note about it.
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

/** Where nothing changes, a full disk is no obstacle. */
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

/** A note of an earlier run. One that is damaged counts as absent: none of them holds anything that cannot be found out again. */
export function readJsonIfPresent(path: string): unknown {
  const text = readTextIfPresent(path);
  return text === undefined ? undefined : parseJson(text);
}
