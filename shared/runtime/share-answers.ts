/**
 * Answers all who ask while it is being found out with one answer, and those who ask soon after with the same: what
 * many open pages ask for costs as much as one. A failure is told to those who wait for it, and not kept.
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
