import { pino } from 'pino';
import { expect, it } from 'vitest';
import { buildServer } from '../../../shared/http/server/build-server.ts';
import { registerInternalRoutes } from './internal-routes.ts';

it('tells the other instances, and nobody else, when it knows a change of the directory', async () => {
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  let foldedUpTo = 5n;
  registerInternalRoutes(server, {
    internalToken: 'secret',
    follower: {
      waitFor: (offset) =>
        offset <= foldedUpTo ? Promise.resolve() : new Promise(() => undefined),
    },
    executeForwarded: () => expect.fail('only the directory is requested'),
    removeWebhook: () => expect.fail('only the directory is requested'),
  });
  const ask = async (offset: string, token = 'secret') =>
    server.inject({
      url: `/internal/directory/${offset}`,
      headers: { authorization: `Bearer ${token}` },
    });

  expect((await ask('5', 'guess')).statusCode).toBe(401);
  expect((await ask('five')).statusCode).toBe(400);
  expect((await ask('5')).json()).toEqual({ known: true });
  expect((await ask('6')).statusCode).toBe(503);
  foldedUpTo = 6n;
  expect((await ask('6')).statusCode).toBe(200);
});
