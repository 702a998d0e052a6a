import type { FastifyInstance } from 'fastify';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import type { CommandConfig } from '../command/config.ts';
import { createFaultWebhook } from '../command/findings/fault-webhook.ts';
import { keepReportingFaults } from '../command/findings/report-faults.ts';
import { keepSendingReminders } from '../command/notifications/reminder-emails.ts';
import { startCommand } from '../command/start-command.ts';
import { readEmailReminders } from '../query/activities/email-reminders.ts';
import type { QueryContext } from '../query/context.ts';
import { createChangeIndex } from '../system/audit/change-index.ts';
import { openSystem } from '../system/create-context.ts';
import { createDoctor } from '../system/doctor/doctor.ts';
import { readFaults } from '../system/doctor/read-faults.ts';
import { readFromApis } from '../system/peers/read-from-apis.ts';
import {
  createRequestCounter,
  type RequestCounts,
  requestCountsPath,
} from '../system/series/request-counts.ts';
import { countRequests, serveRequestCounts } from '../system/series/series-routes.ts';
import { createFailedRequests, readFailedRequests } from '../system/traces/failed-requests.ts';
import { recordFailedRequests, serveFailedRequests } from '../system/traces/trace-routes.ts';
import type { ApiContext } from './context.ts';
import { registerConsolePage } from './http/console-page.ts';
import { openQuery, registerAllRoutes } from './routes.ts';

/** Starts the API: the command side, the query side and the operator routes on one listener. */
export async function startApi(service: ServiceContext<CommandConfig>): Promise<void> {
  const { config, log } = service;
  const changes = createChangeIndex();
  const requests = createRequestCounter(Date.now);
  const failed = createFailedRequests();
  const internalToken = createSecretBox(config.secretKey).internalToken();
  const recording = {
    ...service,
    onDirectoryEvent: changes.add,
    registerInternal: (server: FastifyInstance) => {
      serveRequestCounts(server, { internalToken, counter: requests });
      serveFailedRequests(server, { internalToken, failed });
    },
  };
  await startCommand(recording, async (server, command) => {
    countRequests(server, requests);
    recordFailedRequests(server, { failed, now: command.now });
    const others = () => ({ addresses: command.ownership.others(), internalToken, log });
    const series: ApiContext['series'] = {
      database: command.searchPool.of({ id: 'System/series' }),
      async readRequests() {
        const found = await readFromApis<RequestCounts>(others(), requestCountsPath);
        return [requests.read(), ...found];
      },
      prometheusUrl: config.prometheusUrl,
      now: command.now,
      log,
    };
    const system = openSystem(service);
    const doctor = createDoctor(system.observed, command.directory);
    const findFailed = async (id: string) => readFailedRequests(failed, others(), id);
    const context: ApiContext = { ...command, ...system, changes, series, doctor, findFailed };
    const query = openQuery(context);
    await registerAllRoutes(server, context, query);
    sendNews(context, query);
    if (config.consoleDirectory) await registerConsolePage(server, config.consoleDirectory);
  });
}

/** Reports faults, and sends reminders of activities if there is a mail server. */
function sendNews(context: ApiContext, query: QueryContext): void {
  const { config, doctor, lifecycle } = context;
  const webhook = createFaultWebhook(context);
  if (config.mail === undefined && webhook === undefined) return;
  const readCurrent = async () => readFaults((await doctor.quick()).findings);
  lifecycle.opened('reports of faults', keepReportingFaults(context, readCurrent, webhook).close);
  if (config.mail === undefined) return;
  // Without the replica, which may lack the latest changes.
  const current = { ...query, pool: context.pool, searchPool: context.searchPool };
  const sending = keepSendingReminders(context, (wanted) => readEmailReminders(current, wanted));
  lifecycle.opened('e-mails of reminders', sending.close);
}
