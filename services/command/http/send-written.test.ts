import { fastify } from 'fastify';
import { describe, expect, it } from 'vitest';
import { tellWritten, type WriteAnswer } from './send-written.ts';

async function headersOf(written: readonly WriteAnswer[]) {
  const server = fastify();
  server.get('/', (_request, reply) => tellWritten(reply, written).send('done'));
  const { headers } = await server.inject('/');
  return [headers['x-consistency-token'], headers['idempotency-replayed']];
}

describe('what a write tells beside its body', () => {
  it('is the last place of each partition that the request came to', async () => {
    const written = ['r1-7', 'r2-3', 'r1-9'].map((consistencyToken) => ({
      consistencyToken,
      isReplay: false,
    }));
    expect(await headersOf(written)).toEqual(['r1-9,r2-3', undefined]);
  });

  it('calls a request repeated when nothing of it was still to be done', async () => {
    const done = { consistencyToken: 'r1--1', isReplay: true };
    const left = { consistencyToken: 'r1-5', isReplay: false };
    expect(await headersOf([done, done])).toEqual(['r1--1', 'true']);
    expect(await headersOf([done, left])).toEqual(['r1-5', undefined]);
  });

  it('is nothing where nothing was written', async () => {
    expect(await headersOf([])).toEqual([undefined, undefined]);
  });
});
