import { openApiFrame } from '../../shared/http/describe/open-api-frame.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import type { CommandConfig } from '../command/config.ts';
import { startCommand } from '../command/start-command.ts';
import { registerDescriptionRoutes } from '../query/http/description-routes.ts';
import { registerExportRoutes } from '../query/http/export-routes.ts';
import { registerQueryRoutes } from '../query/http/routes.ts';
import { registerConsolePage } from './http/console-page.ts';
import { registerDocsPage } from './http/docs-page.ts';

/** Commands and queries on one listener: what clients know as the API. */
export async function startApi(context: ServiceContext<CommandConfig>): Promise<void> {
  await startCommand(context, async (server, deps) => {
    const { config } = context;
    registerQueryRoutes(server, deps);
    registerExportRoutes(server, {
      ...deps,
      openSecret: deps.secrets.tryOpen,
      maxRecords: config.maxExportRecords,
    });
    registerDescriptionRoutes(server, { ...deps, topics: config.topics });
    await registerDocsPage(server, openApiFrame());
    if (config.consoleDirectory) await registerConsolePage(server, config.consoleDirectory);
  });
}
