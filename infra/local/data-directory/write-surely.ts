import { setTimeout as sleep } from 'node:timers/promises';
import { isOutOfSpace } from '../operator-error.ts';
import type { Terminal } from '../terminal.ts';

const retryAfterMs = 1_000;
const sayEveryMs = 10_000;

/** Tries until it is written, or everything stops: a full disk delays a note, and ends nobody. */
export async function writeSurely(
  path: string,
  write: () => void,
  { terminal, isStopping }: { readonly terminal: Terminal; readonly isStopping: () => boolean },
): Promise<void> {
  let saidAt = 0;
  while (!isStopping()) {
    try {
      return write();
    } catch (error) {
      if (!isOutOfSpace(error)) throw error;
      if (Date.now() - saidAt >= sayEveryMs) {
        saidAt = Date.now();
        terminal.warn(`${path} is written when its disk has room: free some space.`);
      }
    }
    await sleep(retryAfterMs);
  }
}
