import { MAX_PAGE_BYTES } from '../../../shared/db/sql/fit-page.ts';
import type { Page } from '../lists/list-request.ts';
import type { StreamItem } from './stream-item.ts';

/** Limit of items that are read for one page. */
const MAX_LOOKED_AT = 20_000;

/**
 * Takes a page from items, newest first. `total` is -1 if more items follow, -2 if not. The page ends after `maxSize`
 * items, or once their bytes fill it; the next page continues after its last item. Items with the same number stay
 * together, so that `beforeNumber` skips none: if several records changed in the same millisecond, a page may be longer.
 */
export async function takePage(
  items: AsyncIterable<StreamItem>,
  { offset, maxSize }: Page,
  isWanted: (item: StreamItem) => boolean,
): Promise<{ readonly total: -1 | -2; readonly list: readonly StreamItem[] }> {
  const list: StreamItem[] = [];
  let skipped = 0;
  let looked = 0;
  let bytes = 0;
  for await (const item of items) {
    looked += 1;
    if (looked > MAX_LOOKED_AT) return { total: -1, list };
    if (!isWanted(item)) continue;
    if (skipped < offset) {
      skipped += 1;
      continue;
    }
    const isFull = list.length >= maxSize || bytes >= MAX_PAGE_BYTES;
    if (isFull && item.number !== list.at(-1)?.number) return { total: -1, list };
    list.push(item);
    bytes += JSON.stringify(item).length;
  }
  return { total: -2, list };
}
