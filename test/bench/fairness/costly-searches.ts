/** Limits of searches, see shared/search/where. */
const PARTIAL = 50;
const CONDITIONS = 200;
const WILDCARDS = 10;
const EXCESSIVE = 190;
const OVERSIZED_WILDCARDS = 200;

/**
 * Returns a search with the maximum number of conditions, all as costly as possible: each is evaluated for
 * each record, without a match.
 */
export function costliestSearch(): string {
  const patterns = many(PARTIAL, (index) => ({
    type: 'like',
    attribute: 'description',
    value: `${'%e'.repeat(WILDCARDS - 1)}${index}%`,
  }));
  const others = many(CONDITIONS - PARTIAL - 1, (index) => ({
    type: 'equals',
    attribute: 'title',
    value: `${index}`,
  }));
  return toPath([...patterns, ...others]);
}

/** Returns a search that is rejected for too many patterns. */
export function excessiveSearch(): string {
  return toPath(manyPatterns('%e%q'));
}

/** Returns a search with so many wildcards that its path alone is rejected. */
export function oversizedSearch(): string {
  return toPath(manyPatterns('%e'.repeat(OVERSIZED_WILDCARDS)));
}

function manyPatterns(value: string): readonly object[] {
  return many(EXCESSIVE, () => ({ type: 'like', attribute: 'name', value }));
}

function many<Item>(count: number, make: (index: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Encodes only what is necessary, because a path and its headers are limited to 16 kB. */
function toPath(alternatives: readonly object[]): string {
  const where = JSON.stringify([{ type: 'or', value: alternatives }]);
  return `/api/v1/Contact?maxSize=20&where=${where.replaceAll('%', '%25')}`;
}
