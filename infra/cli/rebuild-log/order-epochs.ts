/** The events that one writer appended to one partition, between its fence and the next fence. */
export interface Epoch {
  readonly token: string;
  /** The time of its earliest event, in milliseconds since 1970. */
  readonly begunAt: number;
  readonly events: number;
}

/** States that a record has an earlier version in `before` and a later one in `after`. */
export interface Precedence {
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the order of a partition's writers; undefined if no order is consistent. The versions of records determine
 * the order. Clocks matter only where the versions leave the order open. `last` is the token at the end of the
 * partition.
 */
export function orderEpochs(
  epochs: readonly Epoch[],
  precedences: readonly Precedence[],
  last: string | null,
): readonly Epoch[] | undefined {
  const waiting = new Map(epochs.map(({ token }) => [token, 0]));
  const followers = Map.groupBy(precedences, ({ before }) => before);
  for (const { after } of precedences) waiting.set(after, (waiting.get(after) ?? 0) + 1);
  const left = epochs.toSorted(
    (one, other) =>
      Number(one.token === last) - Number(other.token === last) || one.begunAt - other.begunAt,
  );
  const ordered: Epoch[] = [];
  while (left.length > 0) {
    const index = left.findIndex(({ token }) => waiting.get(token) === 0);
    const [next] = index < 0 ? [] : left.splice(index, 1);
    if (next === undefined) return undefined;
    ordered.push(next);
    for (const { after } of followers.get(next.token) ?? [])
      waiting.set(after, (waiting.get(after) ?? 0) - 1);
  }
  return ordered.slice(0, -1).every(({ token }) => token !== last) ? ordered : undefined;
}
