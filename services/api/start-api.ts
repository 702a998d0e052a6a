import { matchEvent } from '../../shared/domain/match/match-event.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import type { CommandConfig } from '../command/config.ts';
import { startCommand } from '../command/start-command.ts';
import { readOpenPlaces } from '../dispatcher/deliver/progress/load-progress.ts';
import { createChangeIndex } from '../system/audit/change-index.ts';
import { openOperations } from '../system/create-context.ts';
import { registerConsolePage } from './http/console-page.ts';
import { registerAllRoutes } from './routes.ts';

/** Starts commands and queries on one listener, which clients see as the API. */
export async function startApi(context: ServiceContext<CommandConfig>): Promise<void> {
  const { consoleDirectory } = context.config;
  const changes = createChangeIndex();
  const dispatcherRules = { match: matchEvent, readOpenPlaces };
  const recording = { ...context, onDirectoryEvent: changes.add };
  await startCommand(recording, async (server, deps) => {
    const operations = { ...openOperations(context), changes, dispatcherRules };
    await registerAllRoutes(server, { ...deps, ...operations });
    if (consoleDirectory) await registerConsolePage(server, consoleDirectory);
  });
}
