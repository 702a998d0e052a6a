import { setTimeout as sleep } from 'node:timers/promises';
import { isOutOfSpace } from '../operator-error.ts';
import type { Terminal } from '../terminal.ts';
import { writePrivateJson } from './private-file.ts';

const RETRY_AFTER_MS = 1_000;
const SAY_EVERY_MS = 10_000;

/** Tries until it is written as JSON, or everything stops: a full disk delays a note, and ends nobody. */
export async function writeSurely(
  path: string,
  toValue: () => unknown,
  { terminal, isStopping }: { readonly terminal: Terminal; readonly isStopping: () => boolean },
): Promise<void> {
  let saidAt = 0;
  while (!isStopping()) {
    try {
      return writePrivateJson(path, toValue());
    } catch (error) {
      if (!isOutOfSpace(error)) throw error;
      if (Date.now() - saidAt >= SAY_EVERY_MS) {
        saidAt = Date.now();
        terminal.warn(`${path} is written when its disk has room: free some space.`);
      }
    }
    await sleep(RETRY_AFTER_MS);
  }
}
