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
