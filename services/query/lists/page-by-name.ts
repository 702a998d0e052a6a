import type { Page, PageOf } from './list-request.ts';

export interface Named {
  readonly id: string;
  readonly name: string | null;
}

/** Returns a page of `all`, sorted by name, then by id. */
export function pageByName<One extends Named>(
  all: readonly One[],
  { offset, maxSize }: Page,
): PageOf<One> {
  const sorted = all.toSorted(compareNames);
  return { total: sorted.length, list: sorted.slice(offset, offset + maxSize) };
}

function compareNames(left: Named, right: Named): number {
  return (left.name ?? '').localeCompare(right.name ?? '') || left.id.localeCompare(right.id);
}
