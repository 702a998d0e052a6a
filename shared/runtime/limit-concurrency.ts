/** Runs at most `max` tasks concurrently; others wait in order of arrival. */
export function limitConcurrency(
  max: number,
): <Result>(task: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async (task) => {
    // A task that ends hands its slot to the next waiting task, so that no newcomer takes it.
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
