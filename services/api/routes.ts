import type { FastifyInstance } from 'fastify';
import { openApiFrame } from '../../shared/http/describe/describe-routes.ts';
import { registerCommandRoutes } from '../command/features.ts';
import { registerAcknowledgementRoutes } from '../command/findings/acknowledgement-routes.ts';
import type { QueryContext } from '../query/context.ts';
import { createContext } from '../query/create-context.ts';
import { registerQueryRoutes, registerStoringRoutes } from '../query/routes.ts';
import { registerLedgerRoutes } from '../query/webhooks/ledger/ledger-routes.ts';
import { registerSystemRoutes } from '../system/routes.ts';
import type { ApiContext } from './context.ts';
import { registerDocsPage } from './http/docs-page.ts';

/** Builds the context of the query side. */
export function openQuery(context: ApiContext): QueryContext {
  const isMailOn = context.config.mail !== undefined;
  return createContext({ ...context, isMailOn, primary: context });
}

/** Registers all API routes. To add a route, register it in its service, next to the other routes of its feature. */
export async function registerAllRoutes(
  server: FastifyInstance,
  context: ApiContext,
  ofQuery: QueryContext,
): Promise<void> {
  registerCommandRoutes(server, context);
  const query = { ...context, ...ofQuery };
  registerQueryRoutes(server, query);
  registerStoringRoutes(server, query);
  registerLedgerRoutes(server, context.observed, query);
  registerSystemRoutes(server, context);
  registerAcknowledgementRoutes(
    server,
    context,
    async () => (await context.doctor.full()).findings,
  );
  await registerDocsPage(server, openApiFrame());
}
