import { pino } from 'pino';
import { expect, it, vi } from 'vitest';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import { describeRoutes } from '../../../shared/http/describe/describe-routes.ts';
import { buildServer } from '../../../shared/http/server/build-server.ts';
import { topicNames } from '../../../shared/kafka/topics.ts';
import { registerDescriptionRoutes } from './description-routes.ts';

it('has the routes collected before the first request', async () => {
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  await describeRoutes(server);
  const collect = vi.spyOn(server, 'swagger');
  registerDescriptionRoutes(server, {
    directory: createDirectory(stockDefinitions),
    topics: topicNames('annals'),
    authenticate: () => Promise.reject(new Error('nobody asks')),
    untilConsistent: () => Promise.resolve(),
  });

  await server.ready();

  expect(collect).toHaveBeenCalledOnce();
  await server.close();
});
