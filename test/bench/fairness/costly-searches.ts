/** Bounds of what a search may have, see shared/search/where. */
const PARTIAL = 50;
const CONDITIONS = 200;
const WILDCARDS = 10;
const EXCESSIVE = 190;
const OVERSIZED_WILDCARDS = 200;

/** A search by as many conditions as are allowed, as costly as they may be: each is tried with each record, in vain. */
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

/** One that is refused: it has too many patterns. */
export function excessiveSearch(): string {
  return toPath(manyPatterns('%e%q'));
}

/** One with so many wildcards in each of them that its path alone is refused. */
export function oversizedSearch(): string {
  return toPath(manyPatterns('%e'.repeat(OVERSIZED_WILDCARDS)));
}

function manyPatterns(value: string): readonly object[] {
  return many(EXCESSIVE, () => ({ type: 'like', attribute: 'name', value }));
}

function many<Item>(count: number, make: (index: number) => Item): readonly Item[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Encoded no further than it has to be: a path and its headers have 16 kB at most. */
function toPath(alternatives: readonly object[]): string {
  const where = JSON.stringify([{ type: 'or', value: alternatives }]);
  return `/api/v1/Contact?maxSize=20&where=${where.replaceAll('%', '%25')}`;
}
