import { pino } from 'pino';
import { expect, it } from 'vitest';
import { buildServer } from '../../../shared/http/server/build-server.ts';
import { commandContext } from '../../../test/support/builders/command-context.ts';
import { registerInternalRoutes } from './internal-routes.ts';

it('confirms to authenticated instances that a directory change was read', async () => {
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  let foldedUpTo = 5n;
  const { follower } = commandContext({
    follower: {
      waitFor: (offset: bigint) =>
        offset <= foldedUpTo ? Promise.resolve() : new Promise(() => undefined),
    },
  });
  registerInternalRoutes(server, {
    internalToken: 'secret',
    follower,
    executeForwarded: () => expect.fail('only the directory is requested'),
    removeWebhook: () => expect.fail('only the directory is requested'),
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
