import type { FastifyInstance } from 'fastify';
import { matchEvent } from '../../shared/domain/match/match-event.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import type { CommandConfig } from '../command/config.ts';
import { startCommand } from '../command/start-command.ts';
import { readOpenPlaces } from '../dispatcher/deliver/progress/load-progress.ts';
import { createChangeIndex } from '../system/audit/change-index.ts';
import { openOperations } from '../system/create-context.ts';
import type { SeriesSources } from '../system/series/read-series.ts';
import { createRequestCounter, readCountsOf } from '../system/series/request-counts.ts';
import { countRequests, serveRequestCounts } from '../system/series/series-routes.ts';
import { registerConsolePage } from './http/console-page.ts';
import { registerAllRoutes } from './routes.ts';

/** Starts commands and queries on one listener, which clients see as the API. */
export async function startApi(context: ServiceContext<CommandConfig>): Promise<void> {
  const { consoleDirectory } = context.config;
  const changes = createChangeIndex();
  const dispatcherRules = { match: matchEvent, readOpenPlaces };
  const requests = createRequestCounter(Date.now);
  const internalToken = createSecretBox(context.config.secretKey).internalToken();
  const recording = {
    ...context,
    onDirectoryEvent: changes.add,
    registerInternal: (server: FastifyInstance) =>
      serveRequestCounts(server, { internalToken, counter: requests }),
  };
  await startCommand(recording, async (server, deps) => {
    countRequests(server, requests);
    const series: SeriesSources = {
      database: deps.searchPool.of({ id: 'System/series' }),
      async readRequests() {
        const others = await readCountsOf(deps.ownership.others(), internalToken, deps.log);
        return [requests.read(), ...others];
      },
      prometheusUrl: context.config.prometheusUrl,
      now: deps.now,
      log: deps.log,
    };
    const operations = { ...openOperations(context), changes, dispatcherRules, series };
    await registerAllRoutes(server, { ...deps, ...operations });
    if (consoleDirectory) await registerConsolePage(server, consoleDirectory);
  });
}
