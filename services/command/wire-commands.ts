import { requireActingUser } from '../../shared/domain/directory/acting-user.ts';
import type { SaveExport } from '../../shared/http/save-export.ts';
import { serviceGroupId } from '../../shared/kafka/group/service-groups.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import { watchStorage } from '../../shared/storage/watch-storage.ts';
import { copyRecord } from './copies/copy-record.ts';
import { readSeed, seedDirectory } from './directory/seed-directory.ts';
import { createSaveExport } from './files/save-export.ts';
import { type Append, createDirectoryAppend } from './forwarding/append.ts';
import { createExecuteForwarded } from './forwarding/execute-forwarded.ts';
import { createFindPlace } from './forwarding/find-place.ts';
import { createCommandForwarder } from './forwarding/forward-command.ts';
import type { InternalCommands } from './forwarding/internal-routes.ts';
import { Ownership } from './forwarding/ownership.ts';
import { createSendToOwner, type SendToOwner } from './forwarding/send-to-owner.ts';
import { systemAdministrator } from './forwarding/system-actor.ts';
import { createUntilKnownElsewhere } from './forwarding/until-known-elsewhere.ts';
import { createUntilReadable } from './forwarding/until-readable.ts';
import { readCommand } from './http/read-command.ts';
import type { LoginWrites } from './logins/login-writes.ts';
import { linkFound } from './mass-actions/mass-link.ts';
import { createChecks } from './records/input/creation-checks.ts';
import type { CommandRoutesDeps } from './routes.ts';
import { createFollowingReads } from './stream/read-following.ts';
import { createRemoveWebhook } from './webhooks/remove-webhook.ts';
import { wireActions, wireLogEndReads } from './wire-actions.ts';
import type { CommandDeps } from './wire-deps.ts';
import { wireFiles } from './wire-files.ts';
import { wireExecute } from './wire-handlers.ts';
import { wireLogins } from './wire-logins.ts';
import { wireWebhookHandlers, wireWebhookRoutes } from './wire-webhooks.ts';
import { createMeasuredLog, measureWriters } from './writer/measure-writers.ts';
import { NotOwner } from './writer/not-owner.ts';
import { openDirectoryWriter, openRecordsWriter } from './writer/open-writers.ts';
import type { PartitionWriter } from './writer/partition-writer.ts';
import { createRecordIds } from './writer/record-ids.ts';
import { createRequireRoom } from './writer/require-room.ts';

export interface CommandService extends InternalCommands {
  /** Whether all partitions have an owner, on any instance, so that all writes can be taken. */
  isReady(): boolean;
  /** Whether Kafka answers. */
  isConnected(): boolean;
  /** Writes of log-ins. */
  readonly logins: LoginWrites;
  readonly routeDeps: RouteDeps;
  /** Hands background work and partitions over to other instances, if there are any. */
  handOver(): Promise<void>;
}

/** Dependencies of the routes of the command side, and of exports, which save files. */
type RouteDeps = CommandRoutesDeps & { readonly saveExport: SaveExport };

/** Wires the command side: writers, handlers, dependencies of routes. Writes the seed if the directory lacks it. */
export function wireCommands(given: Omit<CommandDeps, 'requireRoom'>): CommandService {
  const { level } = watchStorage(given.config.storage, given);
  const deps: CommandDeps = { ...given, requireRoom: createRequireRoom(level) };
  const { config, follower, lifecycle } = deps;
  const { topics } = config;
  const { directory } = follower;
  const { writers, directoryWriter } = openWriters(deps);
  const ids = createRecordIds(Date.now, deps.partitions);
  const appendToDirectory = createDirectoryAppend(directoryWriter);
  const ends = wireLogEndReads(deps);
  const webhooks = wireWebhookHandlers(deps, { appendToDirectory, newId: ids.next, ends });
  const execute = wireExecute(deps, { writers, appendToDirectory, webhooks, ids });
  const ownership = wireOwnership(deps, writers, directoryWriter);
  const forwarder = createCommandForwarder(deps.secrets.internalToken(), () => ownership.owners());
  lifecycle.opened('connections to owners', forwarder.close);
  const elsewhere = createUntilKnownElsewhere(deps.secrets.internalToken(), () =>
    ownership.others(),
  );
  lifecycle.opened('connections to the other instances', elsewhere.close);
  const place = createFindPlace({ topics, partitions: deps.partitions, ids });
  const sendToOwner = createSendToOwner({
    ...place,
    ownership,
    forwarder,
    execute,
    untilReadable: createUntilReadable({ ...deps, elsewhere, topics, now: Date.now }),
    directoryOffset: follower.offset,
    actorNow: (actor) =>
      actor === systemAdministrator ? actor : requireActingUser(directory, actor.id),
    now: Date.now,
  });
  const logins = wireLogins(deps, sendToOwner, ids.next);
  const following = wireActions(deps, { sendToOwner, ends });
  const isOwner = () => directoryWriter.isOwned();
  const routeDeps = {
    ...wireRouteDeps(deps, { sendToOwner, following, newId: ids.next }),
    ...wireWebhookRoutes(deps, { sendToOwner, isOwner }),
    logins,
  };
  const isSeeded = keepSeeded(deps, directoryWriter, appendToDirectory);
  return {
    isReady: () => ownership.isReady() && (isSeeded() || !directoryWriter.isOwned()),
    isConnected: () => ownership.isConnected(),
    logins,
    routeDeps,
    executeForwarded: createExecuteForwarded({ follower, execute, topics, now: Date.now }),
    removeWebhook: createRemoveWebhook({
      directory,
      sendToOwner,
      timeoutMs: config.writeTimeoutMs,
    }),
    async handOver() {
      await following.massActionWorker.close();
      await ownership.handOver();
    },
  };
}

/** Dependencies of routes that write records. */
function wireRouteDeps(
  deps: CommandDeps,
  {
    sendToOwner,
    following,
    newId,
  }: {
    readonly sendToOwner: SendToOwner;
    readonly following: ReturnType<typeof wireActions>;
    readonly newId: () => string;
  },
): Omit<RouteDeps, 'logins' | 'deliveries' | 'judgeUrl' | 'readProgress'> {
  const { directory } = deps.follower;
  const routeDeps = {
    ...following,
    ...wireFiles(deps, sendToOwner),
    ...createFollowingReads(deps.pool, directory),
    ...createChecks(deps.pool, directory),
    maxUploadBytes: deps.config.maxUploadBytes,
    customPrefix: deps.config.customPrefix,
    newId,
    directory,
    authentication: deps.authentication,
    authenticate: deps.authentication.authenticate,
    catchUp: deps.catchUp,
    untilConsistent: deps.untilConsistent,
    secrets: deps.secrets,
    openSecret: deps.secrets.tryOpen,
    timeoutMs: deps.config.writeTimeoutMs,
    now: Date.now,
    clock: deps.clock,
  };
  return {
    ...routeDeps,
    copyRecord: (command, sourceId) => copyRecord(command, sourceId, routeDeps),
    linkFound: (found) => linkFound(found, routeDeps),
    saveExport: createSaveExport({
      ...routeDeps,
      readCommand: (request, asked) => readCommand(routeDeps, request, asked),
    }),
  };
}

function wireOwnership(
  { config, crash, internalAddress, kafka, lifecycle, log, metrics }: CommandDeps,
  writers: readonly PartitionWriter[],
  directoryWriter: PartitionWriter,
): Ownership {
  const { topics } = config;
  const byResource = new Map([
    [`${topics.directory}/0`, directoryWriter],
    ...writers.map((writer, partition) => [`${topics.records}/${partition}`, writer] as const),
  ]);
  measureWriters(metrics, byResource);
  const ownership = new Ownership({
    kafka,
    groupId: serviceGroupId(config.topicPrefix, 'api'),
    address: internalAddress,
    writers: byResource,
    crash,
    log,
  });
  lifecycle.opened('ownership', () => ownership.close());
  return ownership;
}

/** The owner of the directory writes the first users if they are missing. Answers whether they exist. */
function keepSeeded(
  { config, follower, projection, secrets, log }: CommandDeps,
  writer: PartitionWriter,
  appendToDirectory: Append,
): () => boolean {
  const { seedFile, topics } = config;
  if (seedFile === undefined) return () => true;
  const { directory } = follower;
  let isSeeded = false;
  writer.onOwned(() => {
    const seeding = readSeed(seedFile).then(async (seed) => {
      const deps = { directory, appendToDirectory, secrets };
      const last = await keepTrying('first users', log, () => seedDirectory(deps, seed));
      // An entity type cannot be read until its table has the seeded field.
      if (last !== undefined) await projection.passed(topics.directory, 0, last);
      isSeeded = true;
    });
    seeding.catch((err: unknown) => {
      if (!(err instanceof NotOwner)) log.error({ err }, 'first users not written');
    });
  });
  return () => isSeeded;
}

function openWriters(deps: CommandDeps) {
  const { config, lifecycle, metrics } = deps;
  const writerDeps = {
    ...deps,
    topics: config.topics,
    address: deps.internalAddress,
    measured: createMeasuredLog(metrics),
  };
  const writers = Array.from({ length: deps.partitions }, (_, partition) =>
    openRecordsWriter(writerDeps, partition),
  );
  const directoryWriter = openDirectoryWriter(writerDeps);
  const all = [...writers, directoryWriter];
  // An idle writer would not notice that its partition is to be sealed.
  deps.guard.onMark(() => all.forEach((writer) => void writer.checkOwnership()));
  lifecycle.opened('writers', () => Promise.all(all.map((writer) => writer.close())));
  return { writers, directoryWriter };
}
