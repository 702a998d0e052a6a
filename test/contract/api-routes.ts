import { pino } from 'pino';
import { registerDocsPage } from '../../services/api/http/docs-page.ts';
import { registerAppRoutes as registerLoginRoutes } from '../../services/command/logins/app-routes.ts';
import { registerSessionRoutes } from '../../services/command/logins/session-routes.ts';
import { registerUserSecurityRoutes } from '../../services/command/logins/user-security-routes.ts';
import { registerCommandRoutes } from '../../services/command/routes.ts';
import { registerReplayRoutes } from '../../services/command/webhooks/replay-routes.ts';
import { registerWebhookRoutes } from '../../services/command/webhooks/webhook-routes.ts';
import { registerDescriptionRoutes } from '../../services/query/http/description-routes.ts';
import { registerExportRoutes } from '../../services/query/http/export-routes.ts';
import { registerQueryRoutes } from '../../services/query/http/routes.ts';
import { createDirectory } from '../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../shared/domain/entity/stock/stock-definitions.ts';
import { buildServer } from '../../shared/http/build-server.ts';
import { registerHealth } from '../../shared/http/register-health.ts';
import { topicNames } from '../../shared/kafka/topics.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';

export interface Route {
  readonly method: string;
  /** A pattern of the router, `/api/v1/:entity/:id`. */
  readonly url: string;
}

/** Every route of the API as Fastify hears of it. None of them is called, so hardly anything stands behind them. */
export async function findRoutes(): Promise<readonly Route[]> {
  const routes: Route[] = [];
  const server = buildServer({ log: pino({ level: 'silent' }), bodyLimitBytes: 1_000 });
  server.addHook('onRoute', ({ method, url }) => {
    for (const one of [method].flat()) routes.push({ method: one, url });
  });
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
  await server.close();
  return routes;
}

/** The functions above, and those that they call in turn. */
export const routeFunctions: readonly string[] = [
  'registerActivityRoutes',
  'registerAppRoutes',
  'registerAttachmentRoutes',
  'registerCalendars',
  'registerCommandRoutes',
  'registerCurrencyRates',
  'registerCurrencyRoutes',
  'registerDefinitionRoutes',
  'registerDeliveryRoutes',
  'registerDescriptionRoutes',
  'registerDocsPage',
  'registerExportRoutes',
  'registerFileRoutes',
  'registerHealth',
  'registerLayouts',
  'registerLeadRoutes',
  'registerGlobalSearch',
  'registerLinkRoutes',
  'registerMassActionRoutes',
  'registerMergeRoutes',
  'registerNoteRoutes',
  'registerQueryRoutes',
  'registerRecordActionRoutes',
  'registerRecordReads',
  'registerRecordRoutes',
  'registerReplayRoutes',
  'registerSessionRoutes',
  'registerStreamRoutes',
  'registerTeamRoutes',
  'registerUserAcl',
  'registerUserSecurityRoutes',
  'registerUsersAccess',
  'registerWebhookRecordRoutes',
  'registerWebhookRoutes',
];

/** The route that a path leads to: what is written out counts before what is open, from left to right. */
export function routeAt(routes: readonly Route[], method: string, path: string): Route | undefined {
  const segments = path.split('/');
  const rank = ({ url }: Route) =>
    url
      .split('/')
      .map((part) => (part.startsWith(':') ? '1' : '0'))
      .join('');
  return routes
    .filter((route) => route.method === method && fits(route.url.split('/'), segments))
    .toSorted((left, right) => rank(left).localeCompare(rank(right)))[0];
}

function fits(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, index) => part.startsWith(':') || part === segments[index])
  );
}
