import { setTimeout as sleep } from 'node:timers/promises';
import { isOutOfSpace } from '../operator-error.ts';
import type { Terminal } from '../terminal.ts';
import { writePrivateJson } from './private-file.ts';

const RETRY_AFTER_MS = 1_000;
const WARN_EVERY_MS = 10_000;

/** Writes a JSON file, and retries until it succeeds or Annals stops: a full disk only delays the file. */
export async function writeSurely(
  path: string,
  toValue: () => unknown,
  { terminal, isStopping }: { readonly terminal: Terminal; readonly isStopping: () => boolean },
): Promise<void> {
  let warnedAt = 0;
  while (!isStopping()) {
    try {
      return writePrivateJson(path, toValue());
    } catch (error) {
      if (!isOutOfSpace(error)) throw error;
      if (Date.now() - warnedAt >= WARN_EVERY_MS) {
        warnedAt = Date.now();
        terminal.warn(`${path} cannot be written until its disk has space: free some space.`);
      }
    }
    await sleep(RETRY_AFTER_MS);
  }
}
