import { setTimeout as sleep } from 'node:timers/promises';

/**
 * Retries until the attempt stops throwing, and returns its result; after the timeout, throws its last error.
 */
export async function eventually<Result>(
  attempt: () => Result | Promise<Result>,
  limits: { readonly timeoutMs?: number; readonly intervalMs?: number } = {},
): Promise<Result> {
  const { timeoutMs = 10_000, intervalMs = 50 } = limits;
  const deadline = Date.now() + timeoutMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    await sleep(intervalMs);
  }
}
