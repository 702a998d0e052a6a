import type { FastifyInstance } from 'fastify';
import { registerAuditRoutes } from './audit/audit-routes.ts';
import type { SystemContext } from './context.ts';
import { registerDoctorRoutes } from './doctor/doctor-routes.ts';
import { registerRejectedRoutes } from './rejected/rejected-routes.ts';
import { registerSeriesRoutes } from './series/series-routes.ts';
import { registerSettingsRoutes } from './settings/settings-routes.ts';
import { registerStatusRoutes } from './status/status-routes.ts';
import { registerPastEvents } from './tail/past-events-routes.ts';
import { registerTailRoutes } from './tail/tail-routes.ts';
import { registerTraceRoutes } from './traces/trace-routes.ts';

/** Registers the routes for operators, which only administrators may use (docs/reference/system.md). */
export function registerSystemRoutes(server: FastifyInstance, context: SystemContext): void {
  registerStatusRoutes(server, context);
  registerDoctorRoutes(server, context);
  registerRejectedRoutes(server, context);
  registerSeriesRoutes(server, context);
  registerSettingsRoutes(server, context);
  registerAuditRoutes(server, context);
  registerTailRoutes(server, context);
  registerPastEvents(server, context);
  registerTraceRoutes(server, context);
}
