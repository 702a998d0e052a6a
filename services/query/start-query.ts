import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { watchAccess } from '../../shared/audit/access-watch.ts';
import { createPool, measurePool } from '../../shared/db/pool.ts';
import { watchProjection } from '../../shared/db/projection-watch.ts';
import { catchUpBriefly } from '../../shared/directory/catch-up-briefly.ts';
import { followDirectory } from '../../shared/directory/directory-follower.ts';
import { createRequestOwner } from '../../shared/directory/request-owner.ts';
import { createFileReads } from '../../shared/files/file-reads.ts';
import { openFileStore } from '../../shared/files/open-file-store.ts';
import { readProxyHeaders } from '../../shared/http/address/read-proxy-headers.ts';
import { describeRoutes } from '../../shared/http/describe/describe-routes.ts';
import { createAuthentication } from '../../shared/http/login/authenticate.ts';
import { registerHealth, toReadiness } from '../../shared/http/observe/register-health.ts';
import { serveDirectoryProgress } from '../../shared/http/serve-directory-progress.ts';
import { buildServer } from '../../shared/http/server/build-server.ts';
import { guardServer } from '../../shared/http/server/guard-server.ts';
import { createInternalServer } from '../../shared/http/server/internal-server.ts';
import { sendClientsAway } from '../../shared/http/server/send-clients-away.ts';
import { createUntilConsistent } from '../../shared/http/until-consistent.ts';
import { guardLog } from '../../shared/installation/guard-log.ts';
import { joinGroup } from '../../shared/kafka/group/group-member.ts';
import { queryGroupId } from '../../shared/kafka/group/service-groups.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import { openReads } from '../../shared/search/open-reads.ts';
import { closeLast, openSearchPool } from '../../shared/search/open-search-pool.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import type { QueryConfig } from './config.ts';
import { createContext } from './create-context.ts';
import { forwardLoginWrites } from './logins/forward-login-writes.ts';
import { registerQueryRoutes } from './routes.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
const POOL_SIZE = 10;
const applicationName = 'annals-query';

/** Starts the reads of records, lists, links, histories, streams and files, next to apis in other processes. */
export async function startQuery(service: ServiceContext<QueryConfig>): Promise<void> {
  const { config, log, lifecycle, metrics, reportBug: onBug } = service;
  const { topics } = config;
  const { primary, projection, reads } = openDatabase(service);
  const files = await openFiles(service, primary.pool);
  const guard = guardLog(service, { clientId: applicationName });
  const follower = followDirectory(guard.kafka, topics.directory, log, guard.opened);
  lifecycle.opened('directory', follower.close);

  const { trustedProxies, tokenLifetime } = config;
  const server = buildServer({
    log,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    metrics,
    trustedProxies,
    onBug,
  });
  let isDirectoryLoaded = false;
  const ready = async () =>
    toReadiness({
      directory: isDirectoryLoaded,
      ...(await projection.checks()),
      listening: server.server.listening && !lifecycle.isStopping(),
    });
  registerHealth(server, { ready, metrics: config.showsMetrics ? metrics : undefined });
  readProxyHeaders(server.server, config);
  sendClientsAway(server, lifecycle);

  const secrets = createSecretBox(config.secretKey);
  const internalToken = secrets.internalToken();
  const internal = createInternalServer({ ...config.internal, log, ready, metrics, onBug });
  serveDirectoryProgress(internal.server, internalToken, follower);
  const address = await internal.listen();
  lifecycle.opened('internal listener', internal.close);
  await keepTrying('directory', log, follower.catchUp);
  await joinReaders(service, { kafka: guard.kafka, address });
  // Apis wait for this process only in changes that they write after it has joined.
  await keepTrying('directory', log, follower.catchUp);
  isDirectoryLoaded = true;

  const watch = watchAccess({ database: primary.pool, log });
  lifecycle.opened('sign-ins', watch.close);
  const { directory } = follower;
  const known = { directory, secrets, catchUp: catchUpBriefly(follower.catchUp) };
  const requestOwner = createRequestOwner(follower, internalToken);
  const writes = forwardLoginWrites({ ...service, requestOwner });
  const { authenticate, provenUserId } = createAuthentication({
    ...known,
    tokenLifetime,
    writes,
    watch,
  });
  await guardServer(server, { ...config, provenUserId });
  await describeRoutes(server);
  const context = createContext({
    ...known,
    isMailOn: config.mail !== undefined,
    authenticate,
    untilConsistent: createUntilConsistent({ projection, follower, topics }),
    openSecret: secrets.tryOpen,
    topics,
    files,
    primary,
    reads,
  });
  registerQueryRoutes(server, context);
  log.info({ address: await server.listen(config.http) }, 'listening');
  lifecycle.opened('listener', async () => server.close());
  // Still serves requests until load balancers have noticed that the process stops.
  lifecycle.opened('clients', () => sleep(config.drainMs));
}

/** Opens the connections to Postgres, and to its replica if there is one. */
function openDatabase(service: ServiceContext<QueryConfig>) {
  const { config, log, lifecycle, metrics } = service;
  const pool = createPool({ ...config.statements, poolSize: POOL_SIZE, applicationName });
  closeLast(pool, 'database', service);
  measurePool(metrics, 'records', () => pool);
  const primary = { pool, searchPool: openSearchPool(config, service) };
  const projection = watchProjection({ url: config.databaseUrl, applicationName }, log);
  lifecycle.opened('projection watch', projection.close);
  const reads = openReads({ ...service, applicationName, poolSize: POOL_SIZE, primary });
  return { primary, projection, reads };
}

/** Opens the reads of files, which are in the store if one is configured, or in Postgres. */
async function openFiles({ config, lifecycle, metrics }: ServiceContext<QueryConfig>, pool: Pool) {
  const store = await openFileStore(config.fileStore, metrics);
  if (store !== undefined) lifecycle.opened('file store', async () => store.close());
  return createFileReads(pool, store);
}

/** Joins the group of the query processes, and waits until it lists this process. */
async function joinReaders(
  { config, crash, lifecycle, log }: ServiceContext<QueryConfig>,
  { kafka, address }: { readonly kafka: Parameters<typeof joinGroup>[0]; readonly address: string },
): Promise<void> {
  const joined = Promise.withResolvers<void>();
  const group = joinGroup(
    kafka,
    {
      groupId: queryGroupId(config.topicPrefix),
      address,
      resources: [],
      claims: () => new Map(),
      onAssigned: () => joined.resolve(),
      crash,
    },
    log,
  );
  lifecycle.opened('group', group.close);
  await joined.promise;
}
