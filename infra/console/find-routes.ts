import type { FastifySchema } from 'fastify';
import { pino } from 'pino';
import { openQuery, registerAllRoutes } from '../../services/api/routes.ts';
import type { RoutesDocument } from '../../services/query/openapi/route-templates.ts';
import { createDirectory } from '../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import { describeRoutes } from '../../shared/http/describe/describe-routes.ts';
import { registerHealth } from '../../shared/http/observe/register-health.ts';
import { buildServer } from '../../shared/http/server/build-server.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';

export interface Route {
  readonly method: string;
  /** The router's pattern, such as `/api/v1/:entity/:id`. */
  readonly url: string;
  readonly schema: FastifySchema;
}

/**
 * Returns every route registered with Fastify, and the OpenAPI document generated from them. The routes are never
 * called, so most of their dependencies are stubs.
 */
export async function findRoutes(): Promise<{
  readonly routes: readonly Route[];
  readonly document: RoutesDocument;
}> {
  const routes: Route[] = [];
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  server.addHook('onRoute', ({ method, url, schema = {} }) => {
    for (const one of [method].flat()) routes.push({ method: one, url, schema });
  });
  await describeRoutes(server);
  const directory = createDirectory(stockDefinitions);
  const secrets = createSecretBox('ab'.repeat(32));
  const settings = { topics: topicNames('annals'), config: { maxUploadBytes: 1 } };
  const deps = { directory, secrets, metrics: {}, ...settings } as never;
  registerHealth(server, deps);
  await registerAllRoutes(server, deps, openQuery(deps));
  await server.ready();
  const document = server.swagger();
  await server.close();
  return { routes, document };
}
