import { createPool, measurePool } from '../../shared/db/pool.ts';
import { watchProjection } from '../../shared/db/projection-watch.ts';
import { catchUpBriefly } from '../../shared/directory/catch-up-briefly.ts';
import { followDirectory } from '../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { readProxyHeaders } from '../../shared/http/address/read-proxy-headers.ts';
import { describeRoutes } from '../../shared/http/describe/describe-routes.ts';
import { createAuthentication } from '../../shared/http/login/authenticate.ts';
import { createFileReads } from '../../shared/files/file-reads.ts';
import { openFileStore } from '../../shared/files/open-file-store.ts';
import type { ProofWrites } from '../../shared/http/login/login-deps.ts';
import { registerHealth, toReadiness } from '../../shared/http/observe/register-health.ts';
import { buildServer } from '../../shared/http/server/build-server.ts';
import { guardServer } from '../../shared/http/server/guard-server.ts';
import { createInternalServer } from '../../shared/http/server/internal-server.ts';
import { createUntilConsistent } from '../../shared/http/until-consistent.ts';
import { guardLog } from '../../shared/installation/guard-log.ts';
import { openReads } from '../../shared/search/open-reads.ts';
import { closeLast, openSearchPool } from '../../shared/search/open-search-pool.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import { runService } from '../../shared/service/run-service.ts';
import { loadQueryConfig } from './config.ts';
import { createContext } from './create-context.ts';
import { registerQueryRoutes } from './routes.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
const POOL_SIZE = 10;

async function rejectCode(): Promise<never> {
  throw new Unavailable('Log-ins with a code are accepted only by the command service.');
}

/** This service has no writer. Only `services/command` records token use and accepts log-ins with a code. */
const rejectedWrites: ProofWrites = {
  recordTokenUse: () => undefined,
  acceptCode: rejectCode,
  acceptRecoveryCode: rejectCode,
};

/** Starts the query side alone. `services/command` accepts writes in another process. */
await runService({
  name: 'query',
  env: process.env,
  loadConfig: loadQueryConfig,
  async start(service) {
    const { config, log, lifecycle, metrics, reportBug: onBug } = service;
    const { topics } = config;
    const applicationName = 'annals-query';
    const pool = createPool({ ...config.statements, poolSize: POOL_SIZE, applicationName });
    closeLast(pool, 'database', service);
    measurePool(metrics, 'records', () => pool);
    const primary = { pool, searchPool: openSearchPool(config, service) };
    const store = await openFileStore(config.fileStore, service.metrics);
    if (store !== undefined) lifecycle.opened('file store', async () => store.close());
    const projection = watchProjection({ url: config.databaseUrl, applicationName }, log);
    lifecycle.opened('projection watch', projection.close);
    const guard = guardLog(service, { clientId: applicationName });
    const follower = followDirectory(guard.kafka, topics.directory, log, guard.opened);
    lifecycle.opened('directory', follower.close);

    let isDirectoryLoaded = false;
    const ready = async () =>
      toReadiness({ directory: isDirectoryLoaded, ...(await projection.checks()) });
    const internal = createInternalServer({ ...config.internal, log, ready, metrics, onBug });
    await internal.listen();
    lifecycle.opened('internal listener', internal.close);
    await follower.catchUp();
    isDirectoryLoaded = true;

    const { trustedProxies, tokenLifetime } = config;
    const bodyLimitBytes = BODY_LIMIT_BYTES;
    const server = buildServer({ log, bodyLimitBytes, metrics, trustedProxies, onBug });
    registerHealth(server, { ready, metrics: config.showsMetrics ? metrics : undefined });
    readProxyHeaders(server.server, config);
    const secrets = createSecretBox(config.secretKey);
    const { directory } = follower;
    const known = { directory, secrets, catchUp: catchUpBriefly(follower.catchUp) };
    const writes = rejectedWrites;
    const { authenticate, provenUserId } = createAuthentication({
      ...known,
      tokenLifetime,
      writes,
    });
    await guardServer(server, { ...config, provenUserId });
    await describeRoutes(server);
    const context = createContext({
      ...known,
      authenticate,
      untilConsistent: createUntilConsistent({ projection, follower, topics }),
      openSecret: secrets.tryOpen,
      topics,
      files: createFileReads(pool, store),
      primary,
      reads: openReads({ ...service, applicationName, poolSize: POOL_SIZE, primary, projection }),
    });
    registerQueryRoutes(server, context);
    log.info({ address: await server.listen(config.http) }, 'listening');
    lifecycle.opened('listener', async () => server.close());
  },
});
