import type { FastifyInstance } from 'fastify';
import { openApiFrame } from '../../shared/http/describe/open-api-frame.ts';
import type { CommandContext } from '../command/context.ts';
import { registerCommandRoutes } from '../command/features.ts';
import { type AccountRouteDeps, registerAccountRoutes } from '../operations/http/account-routes.ts';
import { type AuditRouteDeps, registerAuditRoutes } from '../operations/http/audit-routes.ts';
import { type LiveRouteDeps, registerLiveRoutes } from '../operations/http/live-routes.ts';
import { registerSeriesRoutes } from '../operations/http/series-routes.ts';
import { registerSettingsRoutes } from '../operations/http/settings-routes.ts';
import { registerSystemRoutes } from '../operations/http/system-routes.ts';
import { type ExportRouteDeps, registerExportRoutes } from '../query/http/export-routes.ts';
import { type LayoutWriteDeps, registerLayoutWrites } from '../query/http/layout-write-routes.ts';
import type { QueryRouteDeps } from '../query/http/request/read-reader.ts';
import { registerQueryRoutes } from '../query/http/routes.ts';
import { registerDocsPage } from './http/docs-page.ts';

/** Registers all routes of the API. A new route is registered by its service, next to the other routes of its feature. */
export async function registerAllRoutes(
  server: FastifyInstance,
  deps: CommandContext &
    QueryRouteDeps &
    ExportRouteDeps &
    LayoutWriteDeps &
    LiveRouteDeps &
    AuditRouteDeps &
    AccountRouteDeps,
): Promise<void> {
  registerCommandRoutes(server, deps);
  registerQueryRoutes(server, deps);
  registerExportRoutes(server, deps);
  registerLayoutWrites(server, deps);
  registerSystemRoutes(server, deps);
  registerSeriesRoutes(server, deps);
  registerSettingsRoutes(server, deps);
  registerAuditRoutes(server, deps);
  registerAccountRoutes(server, deps);
  registerLiveRoutes(server, deps);
  await registerDocsPage(server, openApiFrame());
}
