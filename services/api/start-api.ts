import type { FastifyInstance } from 'fastify';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import type { CommandConfig } from '../command/config.ts';
import { startCommand } from '../command/start-command.ts';
import { createChangeIndex } from '../system/audit/change-index.ts';
import { openSystem } from '../system/create-context.ts';
import { createRequestCounter, readCountsOf } from '../system/series/request-counts.ts';
import { countRequests, serveRequestCounts } from '../system/series/series-routes.ts';
import type { ApiContext } from './context.ts';
import { registerConsolePage } from './http/console-page.ts';
import { registerAllRoutes } from './routes.ts';

/** Starts the API: the command side, the query side and the operator routes on one listener. */
export async function startApi(service: ServiceContext<CommandConfig>): Promise<void> {
  const { config, log } = service;
  const changes = createChangeIndex();
  const requests = createRequestCounter(Date.now);
  const internalToken = createSecretBox(config.secretKey).internalToken();
  const recording = {
    ...service,
    onDirectoryEvent: changes.add,
    registerInternal: (server: FastifyInstance) =>
      serveRequestCounts(server, { internalToken, counter: requests }),
  };
  await startCommand(recording, async (server, command) => {
    countRequests(server, requests);
    const series: ApiContext['series'] = {
      database: command.searchPool.of({ id: 'System/series' }),
      async readRequests() {
        const others = await readCountsOf(command.ownership.others(), internalToken, log);
        return [requests.read(), ...others];
      },
      prometheusUrl: config.prometheusUrl,
      now: command.now,
      log,
    };
    const context: ApiContext = { ...command, ...openSystem(service), changes, series };
    await registerAllRoutes(server, context);
    if (config.consoleDirectory) await registerConsolePage(server, config.consoleDirectory);
  });
}
