import { existsSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { type AccessWatch, watchAccess } from '../../shared/audit/access-watch.ts';
import type { StatementSettings } from '../../shared/config/database-url.ts';
import { measurePool } from '../../shared/db/measure-pool.ts';
import { orOutage } from '../../shared/db/outage-of.ts';
import { createPool } from '../../shared/db/pool.ts';
import { type ProjectionWatch, watchProjection } from '../../shared/db/projection-watch.ts';
import { catchUpBriefly } from '../../shared/directory/catch-up-briefly.ts';
import {
  type DirectoryFollower,
  type EventListener,
  followDirectory,
} from '../../shared/directory/directory-follower.ts';
import type { Directory } from '../../shared/domain/directory/directory.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { readProxyHeaders } from '../../shared/http/address/read-proxy-headers.ts';
import { describeRoutes } from '../../shared/http/describe/describe-routes.ts';
import { type Authentication, createAuthentication } from '../../shared/http/login/authenticate.ts';
import { registerHealth, toReadiness } from '../../shared/http/observe/register-health.ts';
import { buildServer } from '../../shared/http/server/build-server.ts';
import { guardServer } from '../../shared/http/server/guard-server.ts';
import {
  createInternalServer,
  type InternalServer,
} from '../../shared/http/server/internal-server.ts';
import { createUntilConsistent } from '../../shared/http/until-consistent.ts';
import { guardLog, type LogGuard } from '../../shared/installation/guard-log.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import type { Lifecycle } from '../../shared/runtime/lifecycle.ts';
import type { Metrics } from '../../shared/runtime/metrics.ts';
import { openReads, type Reads } from '../../shared/search/open-reads.ts';
import { openSearchPool, type SearchPool } from '../../shared/search/open-search-pool.ts';
import { createSecretBox, type SecretBox } from '../../shared/secrets/secret-box.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import { tellSettings } from '../../shared/service/tell-settings.ts';
import type { CommandConfig } from './config.ts';
import { registerInternalRoutes } from './forwarding/internal-routes.ts';
import { type CommandService, wireCommands } from './wire-commands.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
const POOL_SIZE = 16;

/** Dependencies of all routes on the listener, those beside the command side included. */
interface RouteDeps
  extends Omit<CommandService['routeDeps'], 'secrets'>,
    Pick<CommandConfig, 'maxExportRecords' | 'topics'> {
  readonly pool: Pool;
  readonly searchPool: SearchPool;
  readonly secrets: SecretBox;
  readonly accessWatch: AccessWatch;
  readonly reads: Reads;
}

/** Starts the command side. `registerRoutes` registers the routes of its listener. */
export async function startCommand(
  {
    config,
    log,
    lifecycle,
    metrics,
    clock,
    crash,
    restart,
    onDirectoryEvent,
  }: ServiceContext<CommandConfig> & { readonly onDirectoryEvent?: EventListener },
  registerRoutes: (server: FastifyInstance, deps: RouteDeps) => void | Promise<void>,
): Promise<void> {
  const { pool, searchPool, projection, reads } = openDatabase({ config, log, lifecycle, metrics });
  const guard = guardLog({ config, lifecycle, log, restart }, { clientId: 'annals-api' });
  const { topics } = config;
  const follower = followDirectory(guard.kafka, topics.directory, log, guard.opened);
  lifecycle.opened('directory', follower.close);
  if (onDirectoryEvent !== undefined) follower.onEvent(onDirectoryEvent);
  const accessWatch = watchAccess({ database: pool, log });
  lifecycle.opened('sign-ins', accessWatch.close);

  const secrets = createSecretBox(config.secretKey);
  let commands: CommandService | undefined;
  const catchUp = catchUpBriefly(follower.catchUp);
  const { directory } = follower;
  const authentication = openAuthentication(
    { config, secrets, directory, catchUp, now: clock.now, watch: accessWatch },
    () => commands,
  );
  const onBug = () => restart('a request met a bug');
  const server = await openServer({ config, log, lifecycle, metrics, authentication, onBug });
  const internal = buildInternalServer(
    { config, guard, log, secrets, server, projection, follower, lifecycle, metrics },
    () => commands,
  );
  const internalAddress = await internal.listen();
  lifecycle.opened('internal listener', internal.close);

  await guard.opened;
  const partitions = guard.partitionsOf(topics.records);
  await keepTrying('directory', log, follower.catchUp);
  const untilConsistent = createUntilConsistent({ projection, follower, topics });
  const both = { pool, searchPool, secrets, catchUp, untilConsistent, clock };
  const started = wireCommands({
    ...both,
    config,
    guard,
    kafka: guard.kafka,
    partitions,
    projection,
    follower,
    authentication,
    internalAddress,
    lifecycle,
    metrics,
    crash,
    log,
  });
  commands = started;
  const { maxExportRecords } = config;
  const own = { topics, maxExportRecords, accessWatch, reads };
  await registerRoutes(server, { ...started.routeDeps, ...both, ...own });
  await server.listen(config.http);
  lifecycle.opened('listener', () => server.close());
  // Closed first, while requests still come: the other instances take the partitions over, and clients move to them.
  lifecycle.opened('partitions', started.handOver);
  log.info({ ...config.http, partitions }, 'listening');
}

/** Builds a server, without routes. */
async function openServer({
  config,
  lifecycle,
  authentication,
  ...deps
}: Pick<InternalDeps, 'config' | 'log' | 'lifecycle' | 'metrics'> & {
  readonly authentication: Authentication;
  readonly onBug: () => void;
}): Promise<FastifyInstance> {
  const { trustedProxies, proxyProtocol } = config;
  const server = buildServer({ ...deps, trustedProxies, bodyLimitBytes: BODY_LIMIT_BYTES });
  if (proxyProtocol) readProxyHeaders(server.server);
  await guardServer(server, { ...config, provenUserId: authentication.provenUserId });
  await describeRoutes(server);
  sendClientsAway(server, lifecycle);
  return server;
}

/** Connections to Postgres, and to its replica if there is one. */
function openDatabase({
  config,
  ...deps
}: Pick<InternalDeps, 'config' | 'log' | 'lifecycle' | 'metrics'>) {
  const applicationName = 'annals-api';
  const pool = openPool(config.statements, deps);
  const searchPool = openSearchPool(config, deps);
  const projection = watchProjection({ url: config.databaseUrl, applicationName }, deps.log);
  deps.lifecycle.opened('projection watch', projection.close);
  const primary = { pool, searchPool };
  const opening = { ...deps, applicationName, poolSize: POOL_SIZE };
  return { ...primary, projection, reads: openReads({ config, primary, projection, ...opening }) };
}

function openPool(
  statements: StatementSettings,
  { log, lifecycle, metrics }: Pick<InternalDeps, 'log' | 'lifecycle' | 'metrics'>,
): Pool {
  const pool = createPool({ ...statements, applicationName: 'annals-api', poolSize: POOL_SIZE });
  pool.on('error', (err) => log.warn({ err: orOutage(err) }, 'idle database connection lost'));
  lifecycle.opened('database', () => pool.end());
  measurePool(metrics, 'records', () => pool);
  return pool;
}

/** `commands` is undefined while the service starts. Requests are refused until then. */
function openAuthentication(
  {
    config,
    ...deps
  }: {
    readonly config: CommandConfig;
    readonly secrets: SecretBox;
    readonly directory: Directory;
    readonly catchUp: () => Promise<void>;
    readonly now: () => number;
    readonly watch: AccessWatch;
  },
  commands: () => CommandService | undefined,
): Authentication {
  return createAuthentication({
    ...deps,
    tokenLifetime: config.tokenLifetime,
    writes: {
      noteTokenUse: (token) => commands()?.logins.noteTokenUse(token),
      acceptCode: async (userId, step) =>
        requireStarted(commands()).logins.acceptCode(userId, step),
    },
  });
}

function requireStarted(commands: CommandService | undefined): CommandService {
  if (commands !== undefined) return commands;
  throw new Unavailable('still starting');
}

/** While it stops, a process answers requests and asks each client to reconnect. */
function sendClientsAway(server: FastifyInstance, lifecycle: Lifecycle): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (lifecycle.isStopping()) void reply.header('connection', 'close');
    done(null, payload);
  });
}

interface InternalDeps {
  readonly config: CommandConfig;
  readonly guard: LogGuard;
  readonly log: Logger;
  readonly secrets: SecretBox;
  readonly server: FastifyInstance;
  readonly projection: ProjectionWatch;
  readonly follower: DirectoryFollower;
  readonly lifecycle: Lifecycle;
  readonly metrics: Metrics;
}

/** Serves health checks and requests of other processes. `commands` is undefined while the service starts. */
function buildInternalServer(
  { config, guard, log, secrets, server, projection, follower, lifecycle, metrics }: InternalDeps,
  commands: () => CommandService | undefined,
): InternalServer {
  // The projector is not checked: reads work without it, and writes wait until it is back.
  const checks = async () => ({
    kafka: commands()?.isConnected() ?? false,
    log: guard.problem() === undefined && (commands()?.isReady() ?? false),
    ...(await projection.checks()),
    listening: server.server.listening && !lifecycle.isStopping(),
  });
  const { accessFile } = config;
  // The internal port does not check the file, because the file is written once that port reports ready.
  const readyForClients = async () => {
    const known = await checks();
    return accessFile === undefined
      ? toReadiness(known)
      : toReadiness({ ...known, accessFile: existsSync(accessFile) });
  };
  const ready = async () => toReadiness(await checks());
  registerHealth(server, {
    ready: readyForClients,
    metrics: config.showsMetrics ? metrics : undefined,
  });
  const internal = createInternalServer({ ...config.internal, log, ready, metrics });
  tellSettings(internal.server, config);
  registerInternalRoutes(internal.server, {
    internalToken: secrets.internalToken(),
    follower,
    commands,
  });
  return internal;
}
