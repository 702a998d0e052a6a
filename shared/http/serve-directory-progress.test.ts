import { pino } from 'pino';
import { expect, it } from 'vitest';
import { serveDirectoryProgress } from './serve-directory-progress.ts';
import { buildServer } from './server/build-server.ts';

it('confirms to authenticated processes that a directory change was read', async () => {
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  let foldedUpTo = 5n;
  serveDirectoryProgress(server, 'secret', {
    waitFor: (offset: bigint) =>
      offset <= foldedUpTo ? Promise.resolve() : new Promise(() => undefined),
  });
  const requestOffset = async (offset: string, token = 'secret') =>
    server.inject({
      url: `/internal/directory/${offset}`,
      headers: { authorization: `Bearer ${token}` },
    });

  expect((await requestOffset('5', 'guess')).statusCode).toBe(401);
  expect((await requestOffset('five')).statusCode).toBe(400);
  expect((await requestOffset('5')).json()).toEqual({ known: true });
  expect((await requestOffset('6')).statusCode).toBe(503);
  foldedUpTo = 6n;
  expect((await requestOffset('6')).statusCode).toBe(200);
});
