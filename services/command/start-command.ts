import { existsSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { watchAccess } from '../../shared/audit/access-watch.ts';
import { createPool, measurePool } from '../../shared/db/pool.ts';
import { watchProjection } from '../../shared/db/projection-watch.ts';
import { catchUpBriefly } from '../../shared/directory/catch-up-briefly.ts';
import { type EventListener, followDirectory } from '../../shared/directory/directory-follower.ts';
import { Unavailable } from '../../shared/domain/errors.ts';
import { createFileReads } from '../../shared/files/file-reads.ts';
import type { ExternalStore } from '../../shared/files/file-store.ts';
import { openFileStore } from '../../shared/files/open-file-store.ts';
import { readProxyHeaders } from '../../shared/http/address/read-proxy-headers.ts';
import { describeRoutes } from '../../shared/http/describe/describe-routes.ts';
import { type Authentication, createAuthentication } from '../../shared/http/login/authenticate.ts';
import {
  type Readiness,
  registerHealth,
  toReadiness,
  withProjection,
} from '../../shared/http/observe/register-health.ts';
import { serveDirectoryProgress } from '../../shared/http/serve-directory-progress.ts';
import { buildServer } from '../../shared/http/server/build-server.ts';
import { guardServer } from '../../shared/http/server/guard-server.ts';
import {
  createInternalServer,
  type InternalServer,
} from '../../shared/http/server/internal-server.ts';
import { sendClientsAway } from '../../shared/http/server/send-clients-away.ts';
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
import type { CommandContext, OpenedContext } from './context.ts';
import { createContext } from './create-context.ts';
import { keepCustomPrefix, warnOfIgnoredPrefix } from './directory/keep-custom-prefix.ts';
import { readSeed, seedDirectory } from './directory/seed-directory.ts';
import { commandsByName } from './features.ts';
import { registerInternalLogins } from './logins/internal-login-routes.ts';
import { executeForwarded } from './owner/execute-command.ts';
import { registerInternalRoutes } from './owner/internal-routes.ts';
import { proveCode } from './single-sign-on/prove-code.ts';
import { removeWebhook } from './webhooks/switch-off-webhooks.ts';
import { NotOwner } from './writer/not-owner.ts';
import { createRequireRoom } from './writer/require-room.ts';

const BODY_LIMIT_BYTES = 1024 * 1024;
const POOL_SIZE = 16;

/** Returns the command side, or undefined while the service starts. */
type FindStarted = () => StartedCommand | undefined;

interface StartedCommand {
  readonly context: CommandContext;
  /** Returns whether the first entries of the directory exist. */
  readonly isSeeded: () => boolean;
}

/** Starts the command side. `registerRoutes` registers the routes of its listener. */
export async function startCommand(
  {
    onDirectoryEvent,
    registerInternal = () => undefined,
    ...service
  }: ServiceContext<CommandConfig> & {
    readonly onDirectoryEvent?: EventListener;
    /** Registers further routes on the internal listener. */
    readonly registerInternal?: (server: FastifyInstance) => void;
  },
  registerRoutes: (server: FastifyInstance, context: CommandContext) => void | Promise<void>,
): Promise<void> {
  const { config, log, lifecycle } = service;
  const store = await openFileStore(config.fileStore, service.metrics);
  const opened = open(service, { onDirectoryEvent, store });
  const { follower, guard, topics } = opened;
  let started: StartedCommand | undefined;
  const authentication = openAuthentication(opened, () => started);
  const server = await openServer(opened, authentication);
  const internal = buildInternalServer(opened, server, () => started);
  registerInternal(internal.server);
  const address = await internal.listen();
  lifecycle.opened('internal listener', internal.close);

  await guard.opened;
  const partitions = guard.partitionsOf(topics.records);
  await keepTrying('directory', log, follower.catchUp);
  const context = createContext({
    ...opened,
    partitions,
    untilConsistent: createUntilConsistent(opened),
    authentication,
    authenticate: authentication.authenticate,
    requireRoom: createRequireRoom(watchStorage(config.storage, service).level),
    address,
  });
  started = { context, isSeeded: keepSeeded(context) };
  await registerRoutes(server, context);
  await server.listen(config.http);
  lifecycle.opened('listener', () => server.close());
  // Partitions are closed first, while requests still arrive, so that other instances take them over and clients move
  // there.
  lifecycle.opened('partitions', async () => {
    await context.massActionWorker.close();
    await context.ownership.handOver();
  });
  log.info({ ...config.http, partitions }, 'listening');
}

function open(
  context: ServiceContext<CommandConfig>,
  {
    onDirectoryEvent,
    store,
  }: {
    readonly onDirectoryEvent: EventListener | undefined;
    readonly store: ExternalStore | undefined;
  },
): OpenedContext {
  const { config, log, lifecycle } = context;
  const secrets = createSecretBox(config.secretKey);
  const database = openDatabase(context);
  if (store !== undefined) lifecycle.opened('file store', async () => store.close());
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
    store,
    files: createFileReads(database.pool, store),
    guard,
    kafka,
    topics,
    follower,
    directory: follower.directory,
    catchUp: catchUpBriefly(follower.catchUp),
    accessWatch,
    secrets,
    openSecret: secrets.tryOpen,
    timeoutMs,
    now: Date.now,
  };
}

/** Opens the connections to Postgres, and to its replica if there is one. */
function openDatabase(context: ServiceContext<CommandConfig>) {
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
    reads: openReads({ ...opening, primary }),
  };
}

/** Sets up authentication, which rejects requests while the service starts. */
function openAuthentication(opened: OpenedContext, started: FindStarted): Authentication {
  const { accessWatch, clock, config } = opened;
  return createAuthentication({
    ...opened,
    tokenLifetime: config.tokenLifetime,
    now: clock.now,
    watch: accessWatch,
    proveCode: (request, code) => proveCode(requireStarted(started()).context, request, code),
    writes: {
      recordTokenUse: (token) => started()?.context.logins.recordTokenUse(token),
      acceptCode: async (userId, step) =>
        requireStarted(started()).context.logins.acceptCode(userId, step),
      acceptRecoveryCode: async (userId, hash) =>
        requireStarted(started()).context.logins.acceptRecoveryCode(userId, hash),
    },
  });
}

function requireStarted(started: StartedCommand | undefined): StartedCommand {
  if (started !== undefined) return started;
  throw new Unavailable('still starting');
}

/** Builds a server without any routes. */
async function openServer(
  { config, log, lifecycle, metrics, reportBug }: OpenedContext,
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

/** Serves health checks and requests from other processes. */
function buildInternalServer(
  {
    config,
    guard,
    log,
    secrets,
    projection,
    follower,
    lifecycle,
    metrics,
    reportBug,
  }: OpenedContext,
  server: FastifyInstance,
  started: FindStarted,
): InternalServer {
  // A stopped projector is reported, but does not make the api unready: reads still work, and writes wait.
  const checks = async () => ({
    kafka: started()?.context.ownership.isConnected() ?? false,
    log: guard.problem() === undefined && isReady(started()),
    ...(await projection.checks()),
    listening: server.server.listening && !lifecycle.isStopping(),
  });
  const { accessFile } = config;
  const named = (readiness: Readiness) =>
    withProjection(readiness, projection.obstacle(), { isRequired: false });
  // Not checked on the internal port, because the file is written only after that port reports ready.
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
  const internalToken = secrets.internalToken();
  serveDirectoryProgress(internal.server, internalToken, follower);
  registerInternalLogins(internal.server, internalToken, () => requireStarted(started()).context);
  registerInternalRoutes(internal.server, {
    internalToken,
    executeForwarded: (command) =>
      executeForwarded(requireStarted(started()).context, commandsByName, command),
    removeWebhook: (id) => removeWebhook(id, requireStarted(started()).context),
  });
  return internal;
}

/** Returns true if all partitions have an owner, on any instance, so that all writes can be accepted. */
function isReady(started: StartedCommand | undefined): boolean {
  if (started === undefined) return false;
  const { context, isSeeded } = started;
  return context.ownership.isReady() && (isSeeded() || !context.directoryWriter.isOwned());
}

/**
 * Lets the owner of the directory write the prefix choice and the first users if they are missing. The returned
 * function reports whether they exist.
 */
function keepSeeded(context: CommandContext): () => boolean {
  const { config, directoryWriter, log, projection, topics } = context;
  const { seedFile } = config;
  let isSeeded = false;
  warnOfIgnoredPrefix(context);

  async function seed(): Promise<void> {
    // Submitted before any other write of this owner.
    await keepTrying('choice of prefixes', log, () => keepCustomPrefix(context));
    if (seedFile !== undefined) {
      const users = await readSeed(seedFile);
      const last = await keepTrying('first users', log, () => seedDirectory(context, users));
      // An entity type cannot be read until its table has the seeded field.
      if (last !== undefined) await projection.passed(topics.directory, 0, last);
    }
    isSeeded = true;
  }

  directoryWriter.onOwned = () => {
    seed().catch((err: unknown) => {
      if (!(err instanceof NotOwner)) log.error({ err }, 'cannot write the first entries');
    });
  };
  return () => isSeeded;
}

const LOOK_EVERY_MS = 100;

/**
 * Returns a function that returns true once the file has been seen. A later deletion is ignored, because clients have
 * read the file by then.
 */
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
