import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Renders at most once per interval for all waiting readers. A reader who comes too early waits for the next
 * rendering, so the number of responses is limited too: sending them costs more than rendering.
 */
export function shareRendering(
  everyMs: number,
  render: () => Promise<string>,
): () => Promise<Buffer> {
  let endedAt = Number.NEGATIVE_INFINITY;
  let current: Promise<Buffer> | undefined;
  const renderNext = async (): Promise<Buffer> => {
    try {
      const waitMs = endedAt + everyMs - performance.now();
      if (waitMs > 0) await sleep(waitMs, undefined, { ref: false });
      return Buffer.from(await render());
    } finally {
      endedAt = performance.now();
      current = undefined;
    }
  };
  return async () => {
    current ??= renderNext();
    return current;
  };
}
