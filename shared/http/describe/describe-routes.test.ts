import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { buildServer } from '../server/build-server.ts';
import { describeRoutes } from './describe-routes.ts';

it('generates the document once, before the first request', async () => {
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  await describeRoutes(server);
  const collect = vi.spyOn(server, 'swagger');
  server.get('/here', { schema: { summary: 'A route' } }, () => 'here');

  await server.ready();

  expect(collect).toHaveBeenCalledOnce();
  const document = collect.mock.results[0]?.value;
  expect(Object.keys(Object(document).paths)).toEqual(['/here']);
  expect(server.swagger()).toBe(document);
  await server.close();
});
