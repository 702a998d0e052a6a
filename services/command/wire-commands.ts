import { requireActingUser } from '../../shared/domain/directory/acting-user.ts';
import { Refusal } from '../../shared/domain/errors.ts';
import { attachmentType } from '../../shared/domain/field/types/file/file-parts.ts';
import { ratesIn } from '../../shared/domain/input/currency-rates.ts';
import type { SaveExport } from '../../shared/http/save-export.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import { watchStorage } from '../../shared/storage/watch-storage.ts';
import { actions, type OwnerContext } from './actions.ts';
import { readSeed, seedDirectory } from './directory/seed-directory.ts';
import { createAttachmentCommands } from './files/attachment-commands.ts';
import { createSaveExport } from './files/save-export.ts';
import { readCommand } from './http/read-command.ts';
import type { LoginCommands } from './logins/login-writes.ts';
import { copyRecord } from './mass-actions/copy-record.ts';
import { linkFound } from './mass-actions/link-found.ts';
import { createChecks, linkResolver, teamsIn } from './records/creation-checks.ts';
import { createFindDuplicates } from './records/find-duplicates.ts';
import { createRecordCommands } from './records/log-record-commands.ts';
import { createNumberSource } from './records/number-source.ts';
import type { LogRecordCommands, RecordCommands } from './records/record-commands.ts';
import { requireEditable } from './records/resolve-links.ts';
import { registerCommandRoutes } from './routes.ts';
import { type Append, createDirectoryAppend } from './routing/append.ts';
import { createExecute } from './routing/execute-command.ts';
import { createExecuteForwarded } from './routing/execute-forwarded.ts';
import { createFindPlace } from './routing/find-place.ts';
import type { InternalCommands } from './routing/internal-routes.ts';
import { Ownership } from './routing/ownership.ts';
import { createRouteCommand, type Execute, type RouteCommand } from './routing/route-commands.ts';
import { createCommandSender } from './routing/send-command.ts';
import { systemAdministrator } from './routing/system-actor.ts';
import { createUntilKnownElsewhere } from './routing/until-known-elsewhere.ts';
import { createUntilReadable } from './routing/until-readable.ts';
import { createNoteCommands } from './stream/note-commands.ts';
import { createFollowingReads, recordReader } from './stream/read-following.ts';
import { createRemoveWebhook } from './webhooks/remove-webhook.ts';
import type { WebhookCommands } from './webhooks/webhook-commands.ts';
import { wireActions, wireLogEnds } from './wire-actions.ts';
import type { CommandDeps } from './wire-deps.ts';
import { wireDirectoryRecords } from './wire-directory-records.ts';
import { wireFiles } from './wire-files.ts';
import { wireLogins } from './wire-logins.ts';
import { wireWebhookCommands, wireWebhookRoutes } from './wire-webhooks.ts';
import { createMeasuredLog, measureWriters } from './writer/measure-writers.ts';
import { NotOwner } from './writer/not-owner.ts';
import { openDirectoryWriter, openRecordsWriter } from './writer/open-writers.ts';
import type { PartitionWriter } from './writer/partition-writer.ts';
import { createRecordIds } from './writer/record-ids.ts';
import { createRequireRoom } from './writer/require-room.ts';

export interface CommandService extends InternalCommands {
  /** Every partition has an owner, here or elsewhere, so any write can be taken. */
  isReady(): boolean;
  /** Kafka answers. */
  isConnected(): boolean;
  /** What logging in writes. */
  readonly logins: LoginCommands;
  /** For files that reads come to. */
  readonly saveExport: SaveExport;
  /** Leaves what it is at, and gives the partitions, to other instances, if there are any. */
  handOver(): Promise<void>;
}

/** Wires the command side: writers, commands, routes; writes the seed if the directory lacks it. */
export function wireCommands(given: Omit<CommandDeps, 'requireRoom'>): CommandService {
  const { level } = watchStorage(given.config.storage, given);
  const deps: CommandDeps = { ...given, requireRoom: createRequireRoom(level) };
  const { config, follower, lifecycle } = deps;
  const { topics } = config;
  const { directory } = follower;
  const { writers, directoryWriter } = openWriters(deps);
  const ids = createRecordIds(Date.now, deps.partitions);
  const appendToDirectory = createDirectoryAppend(directoryWriter);
  const ends = wireLogEnds(deps);
  const webhooks = wireWebhookCommands(deps, { appendToDirectory, newId: ids.next, ends });
  const execute = wireExecute(deps, { writers, appendToDirectory, webhooks, ids });
  const ownership = wireOwnership(deps, writers, directoryWriter);
  const sender = createCommandSender(deps.secrets.internalToken(), () => ownership.owners());
  lifecycle.opened('connections to owners', sender.close);
  const elsewhere = createUntilKnownElsewhere(deps.secrets.internalToken(), () =>
    ownership.others(),
  );
  lifecycle.opened('connections to the other instances', elsewhere.close);
  const place = createFindPlace({ topics, partitions: deps.partitions, ids });
  const route = createRouteCommand({
    ...place,
    ownership,
    sender,
    execute,
    untilReadable: createUntilReadable({ ...deps, elsewhere, topics, now: Date.now }),
    directoryOffset: follower.offset,
    actorNow: (actor) =>
      actor === systemAdministrator ? actor : requireActingUser(directory, actor.id),
    now: Date.now,
  });
  const logins = wireLogins(deps, route, ids.next);
  const following = wireActions(deps, { route, ends });
  const saveExport = wireRecordRoutes(deps, { route, following, newId: ids.next });
  wireWebhookRoutes(deps, { route, isOwner: () => directoryWriter.isOwned() });
  const isSeeded = keepSeeded(deps, directoryWriter, appendToDirectory);
  return {
    isReady: () => ownership.isReady() && (isSeeded() || !directoryWriter.isOwned()),
    isConnected: () => ownership.isConnected(),
    logins,
    saveExport,
    executeForwarded: createExecuteForwarded({ follower, execute, topics, now: Date.now }),
    removeWebhook: createRemoveWebhook({ directory, route, timeoutMs: config.writeTimeoutMs }),
    async handOver() {
      await following.massActions.close();
      await ownership.handOver();
    },
  };
}

/** The routes that write records. Answers what saves the files that reads come to. */
function wireRecordRoutes(
  deps: CommandDeps,
  {
    route,
    following,
    newId,
  }: {
    readonly route: RouteCommand;
    readonly following: ReturnType<typeof wireActions>;
    readonly newId: () => string;
  },
): SaveExport {
  const { directory } = deps.follower;
  const routeDeps = {
    ...following,
    ...wireFiles(deps, route),
    ...createFollowingReads(deps.pool, directory),
    ...createChecks(deps.pool, directory),
    maxUploadBytes: deps.config.maxUploadBytes,
    newId,
    directory,
    authenticate: deps.authentication.authenticate,
    catchUp: deps.catchUp,
    untilConsistent: deps.untilConsistent,
    openSecret: deps.secrets.tryOpen,
    timeoutMs: deps.config.writeTimeoutMs,
    now: Date.now,
  };
  registerCommandRoutes(deps.server, {
    ...routeDeps,
    copyRecord: (command, sourceId) => copyRecord(command, sourceId, routeDeps),
    linkFound: (found) => linkFound(found, routeDeps),
  });
  return createSaveExport({
    ...routeDeps,
    readCommand: (request, asked) => readCommand(routeDeps, request, asked),
  });
}

/** Commands for every entity type, at this instance. */
function wireExecute(
  deps: CommandDeps,
  {
    writers,
    appendToDirectory,
    webhooks,
    ids,
  }: {
    readonly writers: readonly PartitionWriter[];
    readonly appendToDirectory: Append;
    readonly webhooks: WebhookCommands;
    readonly ids: ReturnType<typeof createRecordIds>;
  },
): Execute {
  const { directory } = deps.follower;
  const records = wireRecordCommands(deps, writers, ids.inPartition);
  const readRecord = recordReader(deps.pool, directory);
  const attachments = createAttachmentCommands(records);
  const byType = new Map<string, RecordCommands>([
    ...wireDirectoryRecords(deps, { appendToDirectory, webhooks, newId: ids.next }),
    ['Note', createNoteCommands(records, { readRecord, directory })],
    [attachmentType, attachments],
  ]);
  return createExecute<OwnerContext>(actions, {
    recordsOf: ({ name, definition }) => {
      const found = byType.get(name);
      if (found !== undefined) return found;
      if (definition.log === 'records') return records;
      throw new Refusal('forbidden', 'access.denied', `${name} has an API of its own.`);
    },
    append: records.append,
    appendToDirectory,
    attachments,
    webhooks,
    directory,
    resolveLinks: linkResolver(deps.pool, directory),
    teamsOf: teamsIn(directory),
    currencies: () => ratesIn(directory),
    now: Date.now,
  });
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
    groupId: `${config.topicPrefix}.owners`,
    address: internalAddress,
    writers: byResource,
    crash,
    log,
  });
  lifecycle.opened('ownership', () => ownership.close());
  return ownership;
}

/** Whoever comes to decide about the directory sees to it that the first users are there. Answers whether they are. */
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
      // Until its tables have the seeded field, an entity type cannot be read.
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
  // One without work to do would not notice that its partition is to be sealed.
  deps.guard.onMark(() => all.forEach((writer) => void writer.checkOwnership()));
  lifecycle.opened('writers', () => Promise.all(all.map((writer) => writer.close())));
  return { writers, directoryWriter };
}

function wireRecordCommands(
  deps: CommandDeps,
  writers: readonly PartitionWriter[],
  newIdIn: (partition: number) => string,
): LogRecordCommands {
  const { config, follower, pool, projection, partitions } = deps;
  const { directory } = follower;
  const topic = config.topics.records;
  const numbers = createNumberSource({ pool, partitions });
  const numbered = writers.map((writer, partition) => ({
    partition,
    token: () => writer.token(),
    caughtUp: () => projection.passed(topic, partition, writer.position().offset - 1n),
  }));
  return createRecordCommands({
    writers,
    newIdIn,
    findDuplicates: createFindDuplicates({ pool, directory }),
    reserveNumber: (model, attribute, only) =>
      numbers.reserve(
        model,
        attribute,
        numbered.filter(({ partition }) => only === undefined || partition === only),
      ),
    teamsOf: teamsIn(directory),
    currencies: () => ratesIn(directory),
    resolveLinks: linkResolver(pool, directory),
    requireEditable: (request) => requireEditable({ pool, directory }, request),
  });
}
