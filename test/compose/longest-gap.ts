import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteLoad } from '../support/write-load.ts';

/**
 * Returns the longest time in ms without an acknowledged write during the work, which starts after a few
 * writes.
 */
export async function longestGapDuring(
  load: WriteLoad,
  work: () => Promise<void>,
): Promise<number> {
  let isOver = false;
  let longest = 0;
  let last = { count: load.acknowledged(), at: Date.now() };
  const watching = (async () => {
    while (!isOver) {
      await sleep(10);
      const now = { count: load.acknowledged(), at: Date.now() };
      longest = Math.max(longest, now.at - last.at);
      if (now.count > last.count) last = now;
    }
  })();
  await work();
  isOver = true;
  await watching;
  return longest;
}
