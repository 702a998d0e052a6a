import type { Page, RecordList } from '../rows/page.ts';

interface ListedPage extends Page {
  /** The path and query of the request. */
  readonly url: string;
  readonly list: RecordList;
}

/** Proxies and clients limit the total size of a response's headers: nginx to 4 or 8 KiB, Node to 16 KiB. */
const MAX_BYTES = 2_048;
/** The order in which relations are omitted until the header is short enough: clients need `next` most. */
const leastNeeded = ['last', 'first', 'prev', 'next'] as const;

/**
 * Returns the Link header for a list (RFC 8288), with the links to the first, previous, next and last page that exist
 * and fit into 2 KiB. Undefined if not even the next page fits, or if the page is given by the JSON in `searchParams`.
 */
export function pageLinks({ url, offset, maxSize, list }: ListedPage): string | undefined {
  const [path = '', ...parts] = url.split('?');
  // Queries may contain question marks too.
  const query = parts.join('?');
  const others = query
    .split('&')
    .filter((pair) => pair !== '' && !/^offset(?:\[|%5B|=)/i.test(pair));
  if (maxSize === 0 || others.some((pair) => pair.startsWith('searchParams='))) return undefined;
  const { total } = list;
  const hasNext = total === -1 || total > offset + maxSize;
  const links = new Map<(typeof leastNeeded)[number], string>();
  const add = (relation: (typeof leastNeeded)[number], to: number) =>
    links.set(relation, `<${path}?${[...others, `offset=${to}`].join('&')}>; rel="${relation}"`);
  add('first', 0);
  if (offset > 0) add('prev', Math.max(0, offset - maxSize));
  if (hasNext) add('next', offset + maxSize);
  if (total > 0) add('last', Math.floor((total - 1) / maxSize) * maxSize);
  const header = () => [...links.values()].join(', ');
  for (const relation of leastNeeded) {
    if (Buffer.byteLength(header()) <= MAX_BYTES) break;
    links.delete(relation);
  }
  return links.size === 0 ? undefined : header();
}
