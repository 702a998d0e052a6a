import { MAX_PAGE_BYTES } from '../../../shared/db/sql/fit-page.ts';
import type { Page } from '../rows/page.ts';
import type { StreamItem } from './stream-item.ts';

/** Items of one origin, newest first. */
export interface StreamSource {
  /** An upper bound for the numbers of the source's items. */
  readonly bound: number;
  /** Returns the next item, or undefined at the end. */
  next(): Promise<StreamItem | undefined>;
}

/** Merges the items of several sources, newest first. Reads a source only when it could have the next item. */
export async function* mergeSources(sources: readonly StreamSource[]): AsyncGenerator<StreamItem> {
  const waiting = sources.toSorted((left, right) => right.bound - left.bound);
  const heads: { readonly item: StreamItem; readonly source: StreamSource }[] = [];
  let opened = 0;

  async function advance(source: StreamSource): Promise<void> {
    const item = await source.next();
    if (item === undefined) return;
    const at = heads.findIndex((head) => isBefore(item, head.item));
    heads.splice(at === -1 ? heads.length : at, 0, { item, source });
  }

  for (;;) {
    for (let next = waiting[opened]; next !== undefined; next = waiting[opened]) {
      if (next.bound < (heads[0]?.item.number ?? 0)) break;
      opened += 1;
      await advance(next);
    }
    const head = heads.shift();
    if (head === undefined) return;
    yield head.item;
    await advance(head.source);
  }
}

/** Items of records that change in the same millisecond may have the same number. Their order is stable. */
function isBefore(item: StreamItem, other: StreamItem): boolean {
  return item.number === other.number ? item.id > other.id : item.number > other.number;
}

/** Creates a source that reads items in chunks on demand. `readMore` resolves to undefined at the end. */
export function sourceOfChunks(
  bound: number,
  readMore: () => Promise<readonly StreamItem[] | undefined>,
): StreamSource {
  let chunk: Iterator<StreamItem, undefined> = [].values();
  return {
    bound,
    async next() {
      for (;;) {
        const { value } = chunk.next();
        if (value !== undefined) return value;
        const more = await readMore();
        if (more === undefined) return undefined;
        chunk = more.values();
      }
    },
  };
}

/** Creates a source of items that have already been read. */
export function sourceOf(items: readonly StreamItem[]): StreamSource {
  const left = items.values();
  return { bound: items[0]?.number ?? 0, next: async () => left.next().value };
}

/** Maximum number of items that are read for one page. */
const MAX_LOOKED_AT = 20_000;

/**
 * Takes a page from items, newest first. `total` is -1 if more items follow, -2 if not. The page ends after `maxSize`
 * items, or once their bytes fill it; the next page continues after the last item. Items with the same number stay
 * together, so that `beforeNumber` does not skip any. If several records changed in the same millisecond, a page may
 * therefore be longer.
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
