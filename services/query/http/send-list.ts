import { Readable } from 'node:stream';
import { setImmediate as letOthersRun } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import type { Row } from '../../../shared/search/run-statement.ts';
import type { RecordList } from '../search/list/list-request.ts';

/** Sends a list, or returns it for Fastify to send. A large one is sent slice by slice, so that it is never whole in memory. */
export function sendList(reply: FastifyReply, list: RecordList): FastifyReply | RecordList {
  const { rest, ...page } = list;
  if (rest === undefined) return page;
  // An error in the middle closes the connection: the client has no complete JSON then.
  const json = Readable.from(toJson(page, rest), { objectMode: false, highWaterMark: 0 });
  return reply.header('Content-Type', 'application/json').send(json);
}

/** The size of a piece. Other requests are served between two pieces. */
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
