import type { Page, RecordList } from '../search/list/list-request.ts';

interface ListedPage extends Page {
  /** The path and query of the request. */
  readonly url: string;
  readonly list: RecordList;
}

/**
 * The Link header of a list (RFC 8288), with those of first, previous, next and last page that exist. Undefined if the
 * page is given by the JSON of `searchParams` and not by the query.
 */
export function pageLinks({ url, offset, maxSize, list }: ListedPage): string | undefined {
  const [path = '', ...parts] = url.split('?');
  // Queries may have question marks, too.
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
