const timeoutMs = 1_000;

/**
 * A `catchUp` that many may ask for at once and that never fails: one runs at a time, those who come meanwhile share
 * the next one, and whoever has waited for a second goes on with what is known.
 */
export function catchUpBriefly(catchUp: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  function start(): Promise<void> {
    next = undefined;
    const own = catchUp()
      .catch(() => undefined)
      .finally(() => {
        running = undefined;
      });
    running = own;
    return own;
  }

  return () => {
    if (running === undefined) return atMostBriefly(start());
    // The one that runs may have looked at the log before that was written which the caller misses.
    next ??= running.then(start);
    return atMostBriefly(next);
  };
}

async function atMostBriefly(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work, late]);
  clearTimeout(timer);
}
