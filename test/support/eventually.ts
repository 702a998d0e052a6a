import { setTimeout as sleep } from 'node:timers/promises';

/** Tries until the attempt stops throwing, and returns what it returns; in the end throws what it threw last. */
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
