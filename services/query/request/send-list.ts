import { Readable } from 'node:stream';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Reader } from '../../../shared/search/record-view.ts';
import type { Row } from '../../../shared/search/run-statement.ts';
import type { Page, RecordList } from '../rows/page.ts';
import { pageLinks } from './page-links.ts';
import { reportIgnoredSelection } from './report-ignored-selection.ts';

interface SentPage extends Reader, Page {
  readonly select: readonly string[] | undefined;
  readonly hasLinks?: boolean;
}

/**
 * Sends a list, or returns it for Fastify to send. A large list is sent in slices, so that it is never entirely in
 * memory.
 */
export function sendList(
  reply: FastifyReply,
  list: RecordList,
  sent: SentPage,
): FastifyReply | RecordList {
  const { hasLinks = false, select } = sent;
  const links = hasLinks ? pageLinks({ ...sent, url: reply.request.url, list }) : undefined;
  if (links !== undefined) void reply.header('Link', links);
  reportIgnoredSelection(reply, sent, select);
  const { rest, ...page } = list;
  if (rest === undefined) return page;
  // An error midway closes the connection, so the client does not receive complete JSON.
  const json = Readable.from(toJson(page, rest), { objectMode: false, highWaterMark: 0 });
  return reply.header('Content-Type', 'application/json').send(json);
}

/** The length of a chunk. The event loop serves other requests between two chunks. */
const PIECE_LENGTH = 64 * 1024;

async function* toJson(
  { list, ...head }: RecordList,
  rest: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  let piece = JSON.stringify({ ...head, list: [] }).slice(0, -']}'.length);
  let separator = '';
  for await (const rows of inSlices(list, rest)) {
    for (const row of rows) {
      piece += separator + JSON.stringify(row);
      separator = ',';
      if (piece.length < PIECE_LENGTH) continue;
      yield piece;
      piece = '';
      await letOthersRun();
    }
  }
  yield `${piece}]}`;
}

async function* inSlices(
  first: readonly Row[],
  rest: AsyncIterable<readonly Row[]>,
): AsyncGenerator<readonly Row[]> {
  yield first;
  yield* rest;
}
