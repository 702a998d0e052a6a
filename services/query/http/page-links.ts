import type { RecordList } from '../search/list-request.ts';

interface ListedPage {
  /** As it was asked for, path and query. */
  readonly url: string;
  readonly offset: number;
  readonly maxSize: number;
  readonly list: RecordList;
}

/**
 * The Link header of a list (RFC 8288): its first, previous, next and last page, as far as there are any. Undefined
 * where the page does not stand in the query but in the JSON of `searchParams`.
 */
export function pageLinks({ url, offset, maxSize, list }: ListedPage): string | undefined {
  const [path = '', ...parts] = url.split('?');
  // A question mark may stand in a query as well.
  const query = parts.join('?');
  const others = query
    .split('&')
    .filter((pair) => pair !== '' && !/^offset(?:\[|%5B|=)/i.test(pair));
  if (maxSize === 0 || others.some((pair) => pair.startsWith('searchParams='))) return undefined;
  const link = (to: number, relation: string) =>
    `<${path}?${[...others, `offset=${to}`].join('&')}>; rel="${relation}"`;
  const { total } = list;
  const hasNext = total === -1 || total > offset + maxSize;
  return [
    link(0, 'first'),
    ...(offset > 0 ? [link(Math.max(0, offset - maxSize), 'prev')] : []),
    ...(hasNext ? [link(offset + maxSize, 'next')] : []),
    ...(total > 0 ? [link(Math.floor((total - 1) / maxSize) * maxSize, 'last')] : []),
  ].join(', ');
}
