import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { orOutage } from '../../shared/db/outage-of.ts';
import { createPool, measurePool } from '../../shared/db/pool.ts';
import {
  checkReadModel,
  type ReadModelChecks,
  unreachableReadModel,
  watchProjection,
} from '../../shared/db/projection-watch.ts';
import { catchUpBriefly } from '../../shared/directory/catch-up-briefly.ts';
import { followDirectory } from '../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { readProxyHeaders } from '../../shared/http/address/read-proxy-headers.ts';
import { describeRoutes } from '../../shared/http/describe/describe-routes.ts';
import { createAuthentication } from '../../shared/http/login/authenticate.ts';
import type { ProofWrites } from '../../shared/http/login/login-deps.ts';
import { registerHealth, toReadiness } from '../../shared/http/observe/register-health.ts';
import { buildServer } from '../../shared/http/server/build-server.ts';
import { guardServer } from '../../shared/http/server/guard-server.ts';
import { createInternalServer } from '../../shared/http/server/internal-server.ts';
import { createUntilConsistent } from '../../shared/http/until-consistent.ts';
import { guardLog } from '../../shared/installation/guard-log.ts';
import { openReads } from '../../shared/search/open-reads.ts';
import { openSearchPool } from '../../shared/search/open-search-pool.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import { runService } from '../../shared/service/run-service.ts';
import { loadQueryConfig } from './config.ts';
import { registerQueryRoutes } from './routes.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
const POOL_SIZE = 10;
const RESPONSE_WITHIN_MS = 1_000;

/** This service has no writer. Only `services/command` records uses of tokens and accepts log-ins with a code. */
const rejectedWrites: ProofWrites = {
  recordTokenUse: () => undefined,
  async acceptCode() {
    throw new Unavailable('Log-ins with a code are accepted only by the command service.');
  },
};

await runService({
  name: 'query',
  env: process.env,
  loadConfig: loadQueryConfig,
  async start({ config, log, lifecycle, metrics, restart, reportBug }) {
    const applicationName = 'annals-query';
    const secrets = createSecretBox(config.secretKey);
    const pool = createPool({ ...config.statements, poolSize: POOL_SIZE, applicationName });
    pool.on('error', (err) => log.warn({ err: orOutage(err) }, 'database connection lost'));
    lifecycle.opened('database pool', async () => pool.end());
    measurePool(metrics, 'records', () => pool);
    const searchPool = openSearchPool(config, { lifecycle, metrics, log });
    const guard = guardLog({ config, lifecycle, log, restart }, { clientId: 'annals-query' });
    const { directory: topic } = config.topics;
    const follower = followDirectory(guard.kafka, topic, log, guard.opened);
    lifecycle.opened('directory', follower.close);
    const { directory } = follower;

    let isDirectoryLoaded = false;
    const ready = async () =>
      toReadiness({ directory: isDirectoryLoaded, ...(await checks(pool)) });
    const internal = createInternalServer({
      ...config.internal,
      log,
      ready,
      metrics,
      onBug: reportBug,
    });
    await internal.listen();
    lifecycle.opened('internal listener', internal.close);
    await follower.catchUp();
    isDirectoryLoaded = true;

    const server = buildServer({
      log,
      bodyLimitBytes: BODY_LIMIT_BYTES,
      metrics,
      trustedProxies: config.trustedProxies,
      onBug: reportBug,
    });
    registerHealth(server, { ready, metrics: config.showsMetrics ? metrics : undefined });
    readProxyHeaders(server.server, config);
    const catchUp = catchUpBriefly(follower.catchUp);
    const { authenticate, provenUserId } = createAuthentication({
      directory,
      secrets,
      tokenLifetime: config.tokenLifetime,
      catchUp,
      writes: rejectedWrites,
    });
    await guardServer(server, { ...config, provenUserId });
    await describeRoutes(server);
    const projection = watchProjection({ url: config.databaseUrl, applicationName }, log);
    lifecycle.opened('projection watch', projection.close);
    const opening = { applicationName, poolSize: POOL_SIZE, lifecycle, metrics, log };
    const reads = openReads({ config, primary: { pool, searchPool }, projection, ...opening });
    const untilConsistent = createUntilConsistent({ projection, follower, topics: config.topics });
    const { topics } = config;
    const reading = { directory, authenticate, untilConsistent, topics };
    registerQueryRoutes(server, { ...reading, pool, searchPool, reads, catchUp, secrets });
    log.info({ address: await server.listen(config.http) }, 'listening');
    lifecycle.opened('listener', async () => server.close());
  },
});

function checks(pool: Pool): Promise<ReadModelChecks> {
  return Promise.race([
    checkReadModel(pool),
    sleep(RESPONSE_WITHIN_MS, unreachableReadModel, { ref: false }),
  ]);
}
