import type { ServiceContext } from '../../shared/service/run-service.ts';
import type { CommandConfig } from '../command/config.ts';
import { startCommand } from '../command/start-command.ts';
import { createChangeIndex } from '../operations/audit/change-index.ts';
import { openOperations } from '../operations/open-operations.ts';
import { registerConsolePage } from './http/console-page.ts';
import { registerAllRoutes } from './routes.ts';

/** Commands and queries on one listener: what clients know as the API. */
export async function startApi(context: ServiceContext<CommandConfig>): Promise<void> {
  const { consoleDirectory } = context.config;
  const changes = createChangeIndex();
  const noting = { ...context, onDirectoryEvent: changes.note };
  await startCommand(noting, async (server, deps) => {
    await registerAllRoutes(server, { ...deps, ...openOperations(context), changes });
    if (consoleDirectory) await registerConsolePage(server, consoleDirectory);
  });
}
