import type { FastifyInstance } from 'fastify';
import { openApiFrame } from '../../shared/http/describe/describe-routes.ts';
import type { CommandContext } from '../command/context.ts';
import { registerCommandRoutes } from '../command/routes.ts';
import { type ExportRouteDeps, registerExportRoutes } from '../query/export/export-routes.ts';
import {
  type LayoutWriteDeps,
  registerLayoutWrites,
} from '../query/metadata/layout-write-routes.ts';
import type { QueryRouteDeps } from '../query/request/read-reader.ts';
import { registerQueryRoutes } from '../query/routes.ts';
import {
  type AccountRouteDeps,
  registerAccountRoutes,
} from '../query/webhooks/ledger/ledger-routes.ts';
import { type AuditRouteDeps, registerAuditRoutes } from '../system/audit/audit-routes.ts';
import { registerSeriesRoutes } from '../system/http/series-routes.ts';
import { registerSettingsRoutes } from '../system/settings/settings-routes.ts';
import { registerSystemRoutes } from '../system/status/status-routes.ts';
import { type LiveRouteDeps, registerLiveRoutes } from '../system/tail/tail-routes.ts';
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
