import type { FastifyInstance } from 'fastify';
import { openApiFrame } from '../../shared/http/describe/open-api-frame.ts';
import type { CommandContext } from '../command/context.ts';
import { registerCommandRoutes } from '../command/routes.ts';
import { createContext } from '../query/create-context.ts';
import { registerQueryRoutes, registerStoringRoutes } from '../query/routes.ts';
import {
  type AccountRouteDeps,
  registerAccountRoutes,
} from '../query/webhooks/ledger/ledger-routes.ts';
import { type AuditRouteDeps, registerAuditRoutes } from '../system/audit/audit-routes.ts';
import { registerSeriesRoutes, type SeriesRouteDeps } from '../system/series/series-routes.ts';
import { registerSettingsRoutes } from '../system/settings/settings-routes.ts';
import { registerSystemRoutes } from '../system/status/status-routes.ts';
import { type LiveRouteDeps, registerLiveRoutes } from '../system/tail/tail-routes.ts';
import { registerDocsPage } from './http/docs-page.ts';

/** Registers all routes of the API. A new route is registered by its service, next to the other routes of its feature. */
export async function registerAllRoutes(
  server: FastifyInstance,
  deps: CommandContext & LiveRouteDeps & SeriesRouteDeps & AuditRouteDeps & AccountRouteDeps,
): Promise<void> {
  registerCommandRoutes(server, deps);
  const query = { ...deps, ...createContext({ ...deps, primary: deps }) };
  registerQueryRoutes(server, query);
  registerStoringRoutes(server, query);
  registerSystemRoutes(server, deps);
  registerSeriesRoutes(server, deps);
  registerSettingsRoutes(server, deps);
  registerAuditRoutes(server, deps);
  registerAccountRoutes(server, deps);
  registerLiveRoutes(server, deps);
  await registerDocsPage(server, openApiFrame());
}
