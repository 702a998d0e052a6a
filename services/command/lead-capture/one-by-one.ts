/** Runs work for the same key in order of arrival, in this process. Keys without work occupy no memory. */
export function createOneByOne(): <Result>(
  key: string,
  work: () => Promise<Result>,
) => Promise<Result> {
  const last = new Map<string, Promise<unknown>>();

  return async (key, work) => {
    const previous = last.get(key);
    const running = previous === undefined ? work() : previous.then(work);
    // The next work for the key starts after a failure, too.
    const ended = running.catch(() => undefined);
    last.set(key, ended);
    try {
      return await running;
    } finally {
      if (last.get(key) === ended) last.delete(key);
    }
  };
}
