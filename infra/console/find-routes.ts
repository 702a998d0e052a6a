import type { FastifySchema } from 'fastify';
import { pino } from 'pino';
import { registerDocsPage } from '../../services/api/http/docs-page.ts';
import { registerAppRoutes as registerLoginRoutes } from '../../services/command/logins/app-routes.ts';
import { registerSessionRoutes } from '../../services/command/logins/session-routes.ts';
import { registerUserSecurityRoutes } from '../../services/command/logins/user-security-routes.ts';
import { registerCommandRoutes } from '../../services/command/routes.ts';
import { registerReplayRoutes } from '../../services/command/webhooks/replay-routes.ts';
import { registerWebhookRoutes } from '../../services/command/webhooks/webhook-routes.ts';
import type { RoutesDocument } from '../../services/query/describe/route-templates.ts';
import { registerDescriptionRoutes } from '../../services/query/http/description-routes.ts';
import { registerExportRoutes } from '../../services/query/http/export-routes.ts';
import { registerQueryRoutes } from '../../services/query/http/routes.ts';
import { createDirectory } from '../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import { buildServer } from '../../shared/http/build-server.ts';
import { describeRoutes } from '../../shared/http/describe/describe-routes.ts';
import { registerHealth } from '../../shared/http/register-health.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';

export interface Route {
  readonly method: string;
  /** A pattern of the router, `/api/v1/:entity/:id`. */
  readonly url: string;
  readonly schema: FastifySchema;
}

/**
 * Every route of the API as Fastify hears of it, and the document made from them. None of them is called, so hardly
 * anything stands behind them.
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
  const settings = { topics: topicNames('annals'), maxUploadBytes: 1 };
  const deps = { directory, secrets, metrics: {}, ...settings } as never;
  registerHealth(server, deps);
  registerCommandRoutes(server, deps);
  registerLoginRoutes(server, deps);
  registerSessionRoutes(server, deps);
  registerUserSecurityRoutes(server, deps);
  registerWebhookRoutes(server, deps);
  registerReplayRoutes(server, deps);
  registerQueryRoutes(server, deps);
  registerExportRoutes(server, deps);
  registerDescriptionRoutes(server, deps);
  await registerDocsPage(server, {});
  await server.ready();
  const document = server.swagger();
  await server.close();
  return { routes, document };
}
