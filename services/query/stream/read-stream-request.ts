import { numberAt } from '../../../shared/domain/stream/stream-number.ts';
import { readTime } from '../../../shared/http/read-time.ts';
import { readCount, readPlainPage } from '../request/read-page.ts';
import {
  badParameter,
  last,
  type Parameters,
  type Query,
  readParameters,
} from '../request/read-parameters.ts';
import type { StreamRequest } from './stream-item.ts';

type Filter = StreamRequest['filter'];

/** Above this depth, clients use `beforeNumber`, which is looked up directly. An offset has to be counted from the top. */
const MAX_DEPTH = 5_000;

/** Reads which part of a stream a query requests (docs/reference/stream.md). `filter` is set if the path determines it. */
export function readStreamRequest(
  query: Query,
  noTotal: string | string[] | undefined,
  filter?: Filter,
): StreamRequest {
  const parameters = readParameters(query);
  const { offset, maxSize } = readPlainPage(parameters);
  if (offset + maxSize > MAX_DEPTH) {
    const bound = `offset and maxSize together must be at most ${MAX_DEPTH}`;
    throw badParameter(`${bound}. Use beforeNumber to continue after an item.`);
  }
  return {
    offset,
    maxSize,
    withTotal: String(noTotal).toLowerCase() !== 'true',
    filter: filter ?? readFilter(parameters),
    from: readAfter(parameters),
    below:
      readCount(parameters, 'beforeNumber', 'the number of an item') ?? Number.POSITIVE_INFINITY,
    skipOwn: readSkipOwn(parameters),
  };
}

function readFilter(parameters: Parameters): Filter {
  const filter = last(parameters, 'filter') ?? 'all';
  if (filter === 'all' || filter === 'posts' || filter === 'updates') return filter;
  throw badParameter(`filter must be one of all, posts, updates, not '${filter.slice(0, 50)}'.`);
}

/** Items show their time in seconds, so items after a time are those of a later second. */
function readAfter(parameters: Parameters): number {
  const after = last(parameters, 'after');
  if (after === undefined) return 0;
  const second = Math.floor(readTime(after, 'after') / 1_000);
  return Math.max(numberAt((second + 1) * 1_000), 0);
}

function readSkipOwn(parameters: Parameters): boolean {
  const text = last(parameters, 'skipOwn')?.toLowerCase() ?? 'false';
  if (text === 'true' || text === '1') return true;
  if (text === 'false' || text === '0') return false;
  throw badParameter(`skipOwn must be true or false, not '${text.slice(0, 50)}'.`);
}
