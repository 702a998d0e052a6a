import { existsSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { watchAccess } from '../../shared/audit/access-watch.ts';
import { measurePool } from '../../shared/db/measure-pool.ts';
import { createPool } from '../../shared/db/pool.ts';
import { watchProjection } from '../../shared/db/projection-watch.ts';
import { catchUpBriefly } from '../../shared/directory/catch-up-briefly.ts';
import { type EventListener, followDirectory } from '../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { readProxyHeaders } from '../../shared/http/address/read-proxy-headers.ts';
import { describeRoutes } from '../../shared/http/describe/describe-routes.ts';
import { type Authentication, createAuthentication } from '../../shared/http/login/authenticate.ts';
import {
  type Readiness,
  registerHealth,
  toReadiness,
  withProjection,
} from '../../shared/http/observe/register-health.ts';
import { buildServer } from '../../shared/http/server/build-server.ts';
import { guardServer } from '../../shared/http/server/guard-server.ts';
import {
  createInternalServer,
  type InternalServer,
} from '../../shared/http/server/internal-server.ts';
import { createUntilConsistent } from '../../shared/http/until-consistent.ts';
import { guardLog } from '../../shared/installation/guard-log.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import type { Lifecycle } from '../../shared/runtime/lifecycle.ts';
import { openReads } from '../../shared/search/open-reads.ts';
import { closeLast, openSearchPool } from '../../shared/search/open-search-pool.ts';
import { openSnapshots } from '../../shared/search/open-snapshots.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import { serveSettings } from '../../shared/service/serve-settings.ts';
import { watchStorage } from '../../shared/storage/watch-storage.ts';
import type { CommandConfig } from './config.ts';
import { registerInternalRoutes } from './forwarding/internal-routes.ts';
import { type CommandService, type RouteDeps, wireCommands } from './wire-commands.ts';
import type { OpenedDeps } from './wire-deps.ts';
import { createRequireRoom } from './writer/require-room.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
const POOL_SIZE = 16;

/** The wired command side; undefined while the service starts. */
type FindCommands = () => CommandService | undefined;

/** Starts the command side. `registerRoutes` registers the routes of its listener. */
export async function startCommand(
  {
    onDirectoryEvent,
    ...context
  }: ServiceContext<CommandConfig> & { readonly onDirectoryEvent?: EventListener },
  registerRoutes: (server: FastifyInstance, deps: RouteDeps) => void | Promise<void>,
): Promise<void> {
  const { config, log, lifecycle } = context;
  const opened = open(context, onDirectoryEvent);
  const { follower, guard, topics } = opened;
  let commands: CommandService | undefined;
  const authentication = openAuthentication(opened, () => commands);
  const server = await openServer(opened, authentication);
  const internal = buildInternalServer(opened, server, () => commands);
  const address = await internal.listen();
  lifecycle.opened('internal listener', internal.close);

  await guard.opened;
  const partitions = guard.partitionsOf(topics.records);
  await keepTrying('directory', log, follower.catchUp);
  const started = wireCommands({
    ...opened,
    partitions,
    untilConsistent: createUntilConsistent(opened),
    authentication,
    requireRoom: createRequireRoom(watchStorage(config.storage, context).level),
    address,
  });
  commands = started;
  await registerRoutes(server, started.routeDeps);
  await server.listen(config.http);
  lifecycle.opened('listener', () => server.close());
  // Closed first, while requests still come: the other instances take the partitions over, and clients move to them.
  lifecycle.opened('partitions', started.handOver);
  log.info({ ...config.http, partitions }, 'listening');
}

function open(
  context: ServiceContext<CommandConfig>,
  onDirectoryEvent: EventListener | undefined,
): OpenedDeps {
  const { config, log, lifecycle } = context;
  const database = openDatabase(context);
  const guard = guardLog(context, { clientId: 'annals-api' });
  const { kafka } = guard;
  const { topics, writeTimeoutMs: timeoutMs } = config;
  const follower = followDirectory(kafka, topics.directory, log, guard.opened);
  lifecycle.opened('directory', follower.close);
  if (onDirectoryEvent !== undefined) follower.onEvent(onDirectoryEvent);
  const accessWatch = watchAccess({ database: database.pool, log });
  lifecycle.opened('sign-ins', accessWatch.close);
  return {
    ...context,
    ...database,
    guard,
    kafka,
    topics,
    follower,
    directory: follower.directory,
    catchUp: catchUpBriefly(follower.catchUp),
    accessWatch,
    secrets: createSecretBox(config.secretKey),
    timeoutMs,
    now: Date.now,
  };
}

/** Connections to Postgres, and to its replica if there is one. */
function openDatabase(
  context: ServiceContext<CommandConfig>,
): Pick<OpenedDeps, 'pool' | 'searchPool' | 'inSnapshot' | 'projection' | 'reads'> {
  const { config, log, lifecycle, metrics } = context;
  const applicationName = 'annals-api';
  const pool = createPool({ ...config.statements, applicationName, poolSize: POOL_SIZE });
  closeLast(pool, 'database', context);
  measurePool(metrics, 'records', () => pool);
  const primary = { pool, searchPool: openSearchPool(config, context) };
  const projection = watchProjection({ url: config.databaseUrl, applicationName }, log);
  lifecycle.opened('projection watch', projection.close);
  const opening = { ...context, applicationName, poolSize: POOL_SIZE };
  return {
    ...primary,
    inSnapshot: openSnapshots(config, context),
    projection,
    reads: openReads({ ...opening, primary, projection }),
  };
}

/** Requests are refused while the service starts. */
function openAuthentication(opened: OpenedDeps, commands: FindCommands): Authentication {
  const { accessWatch, clock, config } = opened;
  return createAuthentication({
    ...opened,
    tokenLifetime: config.tokenLifetime,
    now: clock.now,
    watch: accessWatch,
    writes: {
      recordTokenUse: (token) => commands()?.logins.recordTokenUse(token),
      acceptCode: async (userId, step) =>
        requireStarted(commands()).logins.acceptCode(userId, step),
    },
  });
}

function requireStarted(commands: CommandService | undefined): CommandService {
  if (commands !== undefined) return commands;
  throw new Unavailable('still starting');
}

/** Builds a server, without routes. */
async function openServer(
  { config, log, lifecycle, metrics, reportBug }: OpenedDeps,
  { provenUserId }: Authentication,
): Promise<FastifyInstance> {
  const server = buildServer({
    log,
    metrics,
    trustedProxies: config.trustedProxies,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    onBug: reportBug,
  });
  readProxyHeaders(server.server, config);
  await guardServer(server, { ...config, provenUserId });
  await describeRoutes(server);
  sendClientsAway(server, lifecycle);
  return server;
}

/** While it stops, a process answers requests and asks each client to reconnect. */
function sendClientsAway(server: FastifyInstance, lifecycle: Lifecycle): void {
  server.addHook('onSend', (_request, reply, payload, done) => {
    if (lifecycle.isStopping()) void reply.header('connection', 'close');
    done(null, payload);
  });
}

/** Serves health checks and requests of other processes. */
function buildInternalServer(
  { config, guard, log, secrets, projection, follower, lifecycle, metrics, reportBug }: OpenedDeps,
  server: FastifyInstance,
  commands: FindCommands,
): InternalServer {
  // A projector that cannot continue is named, and does not make the api unready: reads work, and writes wait.
  const checks = async () => ({
    kafka: commands()?.isConnected() ?? false,
    log: guard.problem() === undefined && (commands()?.isReady() ?? false),
    ...(await projection.checks()),
    listening: server.server.listening && !lifecycle.isStopping(),
  });
  const { accessFile } = config;
  const named = (readiness: Readiness) =>
    withProjection(readiness, projection.obstacle(), { isRequired: false });
  // The internal port does not check the file, because the file is written once that port reports ready.
  const wasWritten = accessFile === undefined ? undefined : watchForFile(accessFile, lifecycle);
  const readyForClients = async () => {
    const known = await checks();
    return named(
      wasWritten === undefined
        ? toReadiness(known)
        : toReadiness({ ...known, accessFile: wasWritten() }),
    );
  };
  const ready = async () => named(toReadiness(await checks()));
  registerHealth(server, {
    ready: readyForClients,
    metrics: config.showsMetrics ? metrics : undefined,
  });
  const listener = { ...config.internal, log, ready, metrics, onBug: reportBug };
  const internal = createInternalServer(listener);
  serveSettings(internal.server, config);
  registerInternalRoutes(internal.server, {
    internalToken: secrets.internalToken(),
    follower,
    started: () => requireStarted(commands()),
  });
  return internal;
}

const LOOK_EVERY_MS = 100;

/** Whether the file has existed. Clients that have read it do not need it afterwards: deleting it changes nothing. */
function watchForFile(path: string, lifecycle: Lifecycle): () => boolean {
  let hasExisted = false;
  const timer = setInterval(() => {
    hasExisted ||= existsSync(path);
    if (hasExisted) clearInterval(timer);
  }, LOOK_EVERY_MS);
  timer.unref();
  lifecycle.opened('watch for the access file', async () => clearInterval(timer));
  return () => {
    hasExisted ||= existsSync(path);
    return hasExisted;
  };
}
