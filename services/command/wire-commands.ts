import type { Actor } from '../../shared/domain/access/actor.ts';
import { requireActingUser } from '../../shared/domain/directory/acting-user.ts';
import { Refusal } from '../../shared/domain/errors.ts';
import { attachmentType } from '../../shared/domain/field/types/file/file-parts.ts';
import type { SaveExport } from '../../shared/http/save-export.ts';
import type { SaveLayout } from '../../shared/http/save-layout.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { serviceGroupId } from '../../shared/kafka/group/service-groups.ts';
import { endOffset } from '../../shared/kafka/read-partitions.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import type { InSnapshot } from '../../shared/search/open-snapshots.ts';
import { copyRecord } from './copies/copy-record.ts';
import { createSaveLayout } from './definitions/definition-routes.ts';
import { keepCustomPrefix, warnOfIgnoredPrefix } from './directory/keep-custom-prefix.ts';
import { readSeed, seedDirectory } from './directory/seed-directory.ts';
import { type AppendFile, createAppendFile } from './files/append-file.ts';
import { saveExport } from './files/attachment-routes.ts';
import { createDirectoryAppend } from './owner/append.ts';
import { createExecuteForwarded } from './owner/execute-forwarded.ts';
import { createFindPlace } from './owner/find-place.ts';
import { createCommandForwarder } from './owner/forward-command.ts';
import type { InternalCommands } from './owner/internal-routes.ts';
import { Ownership } from './owner/ownership.ts';
import { createSendToOwner } from './owner/send-to-owner.ts';
import { systemAdministrator } from './owner/system-actor.ts';
import { createUntilKnownElsewhere } from './owner/until-known-elsewhere.ts';
import { createUntilReadable } from './owner/until-readable.ts';
import { createLoginWrites, type LoginWrites } from './logins/login-writes.ts';
import { linkFound } from './mass-actions/mass-link.ts';
import { createCheckCreation, createInputReads } from './records/input/creation-checks.ts';
import type { CommandRoutesDeps } from './routes.ts';
import { createFollowingReads } from './stream/read-following.ts';
import { removeWebhook } from './webhooks/remove-webhook.ts';
import { wireActions } from './wire-actions.ts';
import type { CommandDeps, OwnerDeps, SenderDeps } from './wire-deps.ts';
import { wireExecute } from './wire-handlers.ts';
import { wireWebhookRoutes } from './wire-webhooks.ts';
import { createMeasuredLog, measureWriters } from './writer/measure-writers.ts';
import { NotOwner } from './writer/not-owner.ts';
import { openDirectoryWriter, openRecordsWriter } from './writer/open-writers.ts';
import { createRecordIds } from './writer/record-ids.ts';

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

/** Dependencies of all routes on the listener, those beside the command side included. */
export type RouteDeps = SenderDeps &
  CommandRoutesDeps & {
    readonly saveExport: SaveExport;
    readonly maxExportRecords: number;
    readonly maxExportBytes: number;
    readonly inSnapshot: InSnapshot;
    readonly saveLayout: SaveLayout;
  };

/** Wires the command side: writers, handlers, dependencies of routes. Writes the seed if the directory lacks it. */
export function wireCommands(given: CommandDeps): CommandService {
  const { directory, follower, lifecycle, partitions } = given;
  const internalToken = given.secrets.internalToken();
  const { writers, directoryWriter } = openWriters(given);
  const ids = createRecordIds(Date.now, partitions);
  const owner: OwnerDeps = {
    ...given,
    ...createInputReads(given),
    ...wireLogEnds(given),
    writers,
    directoryWriter,
    appendToDirectory: createDirectoryAppend(directoryWriter),
    newId: ids.next,
    newIdIn: ids.inPartition,
  };
  const actorNow = (actor: Actor) =>
    actor === systemAdministrator ? actor : requireActingUser(directory, actor.id);
  const execute = wireExecute(owner, actorNow);
  const ownership = wireOwnership(owner);
  const forwarder = createCommandForwarder(internalToken, () => ownership.owners());
  lifecycle.opened('connections to owners', forwarder.close);
  const elsewhere = createUntilKnownElsewhere(internalToken, () => ownership.others());
  lifecycle.opened('connections to the other instances', elsewhere.close);
  const sendToOwner = createSendToOwner({
    ...owner,
    ...createFindPlace(owner),
    ownership,
    forwarder,
    execute,
    untilReadable: createUntilReadable({ ...owner, elsewhere }),
    directoryOffset: follower.offset,
    actorNow,
  });
  const deps: SenderDeps = { ...owner, sendToOwner };
  const logins = wireLogins(deps);
  const routeDeps = wireRouteDeps(deps, logins);
  const isSeeded = keepSeeded(deps);
  return {
    isReady: () => ownership.isReady() && (isSeeded() || !directoryWriter.isOwned()),
    isConnected: () => ownership.isConnected(),
    logins,
    routeDeps,
    executeForwarded: createExecuteForwarded({ ...deps, execute }),
    removeWebhook: (id) => removeWebhook(id, deps),
    async handOver() {
      await routeDeps.massActionWorker.close();
      await ownership.handOver();
    },
  };
}

function openWriters(deps: CommandDeps): Pick<OwnerDeps, 'writers' | 'directoryWriter'> {
  const { guard, lifecycle, metrics, partitions } = deps;
  const writerDeps = { ...deps, measured: createMeasuredLog(metrics) };
  const writers = Array.from({ length: partitions }, (_, partition) =>
    openRecordsWriter(writerDeps, partition),
  );
  const directoryWriter = openDirectoryWriter(writerDeps);
  const all = [...writers, directoryWriter];
  // An idle writer would not notice that its partition is to be sealed.
  guard.onMark(() => all.forEach((writer) => void writer.checkOwnership()));
  lifecycle.opened('writers', () => Promise.all(all.map((writer) => writer.close())));
  return { writers, directoryWriter };
}

/** Reads the current end offsets of the logs from the broker. */
function wireLogEnds({
  kafka,
  lifecycle,
  log,
  partitions,
  topics,
}: CommandDeps): Pick<OwnerDeps, 'recordsEnd' | 'directoryEnd'> {
  const asking = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for offsets', asking.close);
  const recordsEnd = async (_: unknown, partition: number) =>
    endOffset(asking, topics.records, partition);
  return {
    recordsEnd: () => Promise.all(Array.from({ length: partitions }, recordsEnd)),
    directoryEnd: () => endOffset(asking, topics.directory, 0),
  };
}

function wireOwnership(deps: OwnerDeps): Ownership {
  const { config, directoryWriter, lifecycle, metrics, topics } = deps;
  const writers = new Map([
    [`${topics.directory}/0`, directoryWriter],
    ...deps.writers.map((writer, partition) => [`${topics.records}/${partition}`, writer] as const),
  ]);
  measureWriters(metrics, writers);
  const groupId = serviceGroupId(config.topicPrefix, 'api');
  const ownership = new Ownership({ ...deps, groupId, writers });
  lifecycle.opened('ownership', () => ownership.close());
  return ownership;
}

function wireLogins(deps: SenderDeps): LoginWrites {
  const { clock, config, log } = deps;
  return createLoginWrites({
    ...deps,
    tokenLifetime: config.tokenLifetime,
    now: clock.now,
    onFailure(err) {
      // Another instance has written it first.
      if (!(err instanceof Refusal)) log.warn({ err }, 'login not noted');
    },
  });
}

function wireRouteDeps(deps: SenderDeps, logins: LoginWrites): RouteDeps {
  const { authentication, config, directory, pool, secrets } = deps;
  const { maxExportBytes, maxExportRecords, maxUnattachedBytes, maxUploadBytes } = config;
  const routeDeps = {
    ...deps,
    ...wireActions(deps),
    ...createFollowingReads(pool, directory),
    checkCreation: createCheckCreation(deps),
    appendFile: wireAppendFile(deps),
    ...wireWebhookRoutes(deps),
    logins,
    inSnapshot: deps.inSnapshot,
    maxExportBytes,
    maxExportRecords,
    maxUnattachedBytes,
    maxUploadBytes,
    authenticate: authentication.authenticate,
    openSecret: secrets.tryOpen,
  };
  return {
    ...routeDeps,
    copyRecord: (command, copying) => copyRecord(command, copying, routeDeps),
    linkFound: (found) => linkFound(found, routeDeps),
    saveExport: (request, file) => saveExport(routeDeps, request, file),
    saveLayout: createSaveLayout(routeDeps),
  };
}

/** Wires the saving of files. */
function wireAppendFile({
  kafka,
  lifecycle,
  log,
  metrics,
  requireRoom,
  topics,
}: SenderDeps): AppendFile {
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for files', connection.close);
  let uploadedBytes = 0;
  metrics.read('annals_file_uploaded_bytes_total', () => uploadedBytes);
  return createAppendFile(
    {
      kafka: connection,
      topic: topics.files,
      requireRoom: () => requireRoom(attachmentType),
    },
    (bytes) => {
      uploadedBytes += bytes;
    },
  );
}

/**
 * The owner of the directory writes the choice of prefixes and the first users if they are missing. Returns whether they
 * exist.
 */
function keepSeeded(deps: SenderDeps): () => boolean {
  const { config, directoryWriter, log, projection, topics } = deps;
  const { customPrefix: configured, seedFile } = config;
  let isSeeded = false;
  warnOfIgnoredPrefix({ ...deps, configured }, log);

  async function seed(): Promise<void> {
    // Submitted before any other write of this owner.
    await keepTrying('choice of prefixes', log, () => keepCustomPrefix({ ...deps, configured }));
    if (seedFile !== undefined) {
      const users = await readSeed(seedFile);
      const last = await keepTrying('first users', log, () => seedDirectory(deps, users));
      // An entity type cannot be read until its table has the seeded field.
      if (last !== undefined) await projection.passed(topics.directory, 0, last);
    }
    isSeeded = true;
  }

  directoryWriter.onOwned = () => {
    seed().catch((err: unknown) => {
      if (!(err instanceof NotOwner)) log.error({ err }, 'first entries not written');
    });
  };
  return () => isSeeded;
}
