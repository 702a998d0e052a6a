import type { StreamItem } from './stream-item.ts';

/** Items of one origin, the newest first. */
export interface StreamSource {
  /** None of them has a higher number. */
  readonly bound: number;
  /** Undefined at the end. */
  next(): Promise<StreamItem | undefined>;
}

interface Head {
  readonly item: StreamItem;
  readonly source: StreamSource;
}

/** Items of several sources, the newest first. A source is asked only when it may have the next one. */
export async function* mergeSources(sources: readonly StreamSource[]): AsyncGenerator<StreamItem> {
  const waiting = sources.toSorted((left, right) => right.bound - left.bound);
  const heads: Head[] = [];
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

/** Records that change in the same millisecond may have items of one number: the same one of them comes first always. */
function isBefore(item: StreamItem, other: StreamItem): boolean {
  return item.number === other.number ? item.id > other.id : item.number > other.number;
}

/** Items that are there already. */
export function sourceOf(items: readonly StreamItem[]): StreamSource {
  let taken = 0;
  return {
    bound: items[0]?.number ?? 0,
    async next() {
      taken += 1;
      return items[taken - 1];
    },
  };
}
