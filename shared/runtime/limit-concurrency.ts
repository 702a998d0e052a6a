/** Runs at most `max` tasks concurrently; others wait in order of arrival. */
export function limitConcurrency(
  max: number,
): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (task) => {
    // A finished task passes its slot to the next waiting task, so that a newcomer cannot take it.
    if (running < max) running += 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}

/**
 * Runs the tasks in order, at most `max` at the same time. After a failure no further task starts, and the first error
 * is thrown once all running tasks have ended, so that the outcome of every started task is known.
 */
export async function forEachParallel<One>(
  ones: readonly One[],
  max: number,
  work: (one: One) => Promise<void>,
): Promise<void> {
  const left = ones.values();
  const errors: unknown[] = [];
  const workOn = async () => {
    for (const one of left) {
      if (errors.length > 0) return;
      await work(one).catch((error: unknown) => errors.push(error));
    }
  };
  await Promise.all(Array.from({ length: max }, workOn));
  if (errors.length > 0) throw errors[0];
}
