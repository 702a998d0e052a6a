/**
 * Shares one result among concurrent callers, and among later callers for `keptMs`, so that the requests of many open
 * pages cost as much as one request. A failure is returned to the waiting callers and not kept.
 */
export function createShared<Answer>(
  keptMs: number,
  find: () => Promise<Answer>,
): () => Promise<Answer> {
  let kept: { readonly answer: Promise<Answer>; until: number } | undefined;
  return async () => {
    if (kept !== undefined && kept.until > performance.now()) return kept.answer;
    const answer = find();
    const mine = { answer, until: Number.POSITIVE_INFINITY };
    kept = mine;
    answer.then(
      () => {
        mine.until = performance.now() + keptMs;
      },
      () => {
        if (kept === mine) kept = undefined;
      },
    );
    return answer;
  };
}

/**
 * Shares results among concurrent callers like createShared, but never a result of a run that began before the call:
 * callers that arrive during a run share the next one.
 */
export function createFresh<Answer>(find: () => Promise<Answer>): () => Promise<Answer> {
  let running: Promise<unknown> | undefined;
  let next: Promise<Answer> | undefined;

  function start(): Promise<Answer> {
    next = undefined;
    const answer = find();
    const own = answer.then(
      () => undefined,
      () => undefined,
    );
    running = own;
    void own.then(() => {
      if (running === own) running = undefined;
    });
    return answer;
  }

  return async () => {
    if (running === undefined) return start();
    next ??= running.then(start);
    return next;
  };
}
