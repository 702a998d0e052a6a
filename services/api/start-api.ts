import type { ServiceContext } from '../../shared/service/run-service.ts';
import type { CommandConfig } from '../command/config.ts';
import { startCommand } from '../command/start-command.ts';
import { createChangeIndex } from '../system/audit/change-index.ts';
import { openSystem } from '../system/create-context.ts';
import type { ApiContext } from './context.ts';
import { registerConsolePage } from './http/console-page.ts';
import { registerAllRoutes } from './routes.ts';

/** Starts commands, queries and the routes for operators on one listener, which clients see as the API. */
export async function startApi(service: ServiceContext<CommandConfig>): Promise<void> {
  const { consoleDirectory } = service.config;
  const changes = createChangeIndex();
  const recording = { ...service, onDirectoryEvent: changes.add };
  await startCommand(recording, async (server, command) => {
    const context: ApiContext = { ...command, ...openSystem(service), changes };
    await registerAllRoutes(server, context);
    if (consoleDirectory) await registerConsolePage(server, consoleDirectory);
  });
}
