import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import type { WriteAnswer } from '../owner/command.ts';
import { setWriteHeaders } from './send-written.ts';

async function headersOf(written: readonly WriteAnswer[]) {
  const server = fastify();
  server.get('/', (_request, reply) => setWriteHeaders(reply, written).send('done'));
  const { headers } = await server.inject('/');
  return [headers['x-consistency-token'], headers['idempotency-replayed']];
}

describe('the headers of a write', () => {
  it('contain the last position in each partition that the request wrote to', async () => {
    const written = ['r1-7', 'r2-3', 'r1-9'].map((consistencyToken) => ({
      consistencyToken,
      isReplay: false,
    }));
    expect(await headersOf(written)).toEqual(['r1-9,r2-3', undefined]);
  });

  it('mark a request as a repeat only if all of its writes were repeats', async () => {
    const done = { consistencyToken: 'r1--1', isReplay: true };
    const left = { consistencyToken: 'r1-5', isReplay: false };
    expect(await headersOf([done, done])).toEqual(['r1--1', 'true']);
    expect(await headersOf([done, left])).toEqual(['r1-5', undefined]);
  });

  it('are absent if nothing was written', async () => {
    expect(await headersOf([])).toEqual([undefined, undefined]);
  });
});
