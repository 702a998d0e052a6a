import { ratesIn } from '../../shared/domain/field/currency-rates.ts';
import { attachmentType } from '../../shared/domain/file/file-field.ts';
import type { SaveExport } from '../../shared/http/save-export.ts';
import { createAttachmentCommands } from './commands/attachment-commands.ts';
import { createChecks, linkResolver, teamsIn } from './commands/creation-checks.ts';
import { createDirectoryCommands, type DirectoryCommands } from './commands/directory-commands.ts';
import { createFindDuplicates } from './commands/find-duplicates.ts';
import { createMarkCommand } from './commands/mark-command.ts';
import { createNoteCommands } from './commands/note-commands.ts';
import { createNumberSource } from './commands/number-source.ts';
import { createPinCommand } from './commands/pin-command.ts';
import { createFollowingReads, recordReader } from './commands/read-following.ts';
import {
  createRecordCommands,
  type LogRecordCommands,
  type RecordCommands,
} from './commands/record-commands.ts';
import { requireEditable } from './commands/resolve-links.ts';
import { readSeed, seedDirectory } from './commands/seed-directory.ts';
import type { WebhookCommands } from './commands/webhook-commands.ts';
import { createExecute, type Execute } from './forward/execute-command.ts';
import { createExecuteForwarded, type ExecuteForwarded } from './forward/execute-forwarded.ts';
import { createFindPlace } from './forward/find-place.ts';
import { Ownership } from './forward/ownership.ts';
import { createRouteCommand, type RouteCommand } from './forward/route-commands.ts';
import { createCommandSender } from './forward/send-command.ts';
import { createUntilKnownElsewhere } from './forward/until-known-elsewhere.ts';
import { createUntilReadable } from './forward/until-readable.ts';
import type { LoginCommands } from './http/login-writes.ts';
import { registerCommandRoutes } from './http/routes.ts';
import { createSaveExport } from './http/save-export.ts';
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

export interface CommandService {
  /** Every partition has an owner, here or elsewhere, so any write can be taken. */
  isReady(): boolean;
  /** Kafka answers. */
  isConnected(): boolean;
  /** For commands of this process itself. */
  readonly route: RouteCommand;
  /** What logging in writes. */
  readonly logins: LoginCommands;
  /** For files that reads come to. */
  readonly saveExport: SaveExport;
  /** For commands that other instances send here. */
  readonly executeForwarded: ExecuteForwarded;
  /** Leaves what it is at, and gives the partitions, to other instances, if there are any. */
  handOver(): Promise<void>;
}

/** Wires the command side: writers, commands, routes; writes the seed if the directory lacks it. */
export function wireCommands(deps: CommandDeps): CommandService {
  const { config, follower, lifecycle } = deps;
  const { topics } = config;
  const { directory } = follower;
  const { writers, directoryWriter } = openWriters(deps);
  const ids = createRecordIds(Date.now, deps.partitions);
  const directoryCommands = createDirectoryCommands(directoryWriter);
  const ends = wireLogEnds(deps);
  const webhooks = wireWebhookCommands(deps, { directoryCommands, newId: ids.next, ends });
  const execute = wireExecute(deps, { writers, directoryCommands, webhooks, ids });
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
    now: Date.now,
  });
  const logins = wireLogins(deps, route, ids.next);
  const actions = wireActions(deps, { route, ends });
  const routeDeps = {
    ...actions,
    ...wireFiles(deps, route),
    ...createFollowingReads(deps.pool, directory),
    ...createChecks(deps.pool, directory),
    maxUploadBytes: config.maxUploadBytes,
    newId: ids.next,
    directory,
    authenticate: deps.authentication.authenticate,
    catchUp: deps.catchUp,
    untilConsistent: deps.untilConsistent,
    openSecret: deps.secrets.tryOpen,
    timeoutMs: config.writeTimeoutMs,
    now: Date.now,
  };
  registerCommandRoutes(deps.server, routeDeps);
  wireWebhookRoutes(deps, { route, isOwner: () => directoryWriter.isOwned() });
  const isSeeded = keepSeeded(deps, directoryWriter, directoryCommands);
  return {
    isReady: () => ownership.isReady() && (isSeeded() || !directoryWriter.isOwned()),
    isConnected: () => ownership.isConnected(),
    route,
    logins,
    saveExport: createSaveExport(routeDeps),
    executeForwarded: createExecuteForwarded({ follower, execute, topics, now: Date.now }),
    async handOver() {
      await actions.massActions.close();
      await ownership.handOver();
    },
  };
}

/** Commands for every entity type, at this instance. */
function wireExecute(
  deps: CommandDeps,
  {
    writers,
    directoryCommands,
    webhooks,
    ids,
  }: {
    readonly writers: readonly PartitionWriter[];
    readonly directoryCommands: DirectoryCommands;
    readonly webhooks: WebhookCommands;
    readonly ids: ReturnType<typeof createRecordIds>;
  },
): Execute {
  const { directory } = deps.follower;
  const records = wireRecordCommands(deps, writers, ids.inPartition);
  const readRecord = recordReader(deps.pool, directory);
  const attachments = createAttachmentCommands(records);
  return createExecute({
    records,
    byType: new Map<string, RecordCommands>([
      ...wireDirectoryRecords(deps, { directoryCommands, webhooks, newId: ids.next }),
      ['Note', createNoteCommands(records, { readRecord, directory })],
      [attachmentType, attachments],
    ]),
    attachments,
    webhooks,
    mark: createMarkCommand(records.append),
    pin: createPinCommand(records.append),
    resolveLinks: linkResolver(deps.pool, directory),
    teamsOf: teamsIn(directory),
    currencies: () => ratesIn(directory),
    definitions: directory,
    directoryCommands,
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
  directoryCommands: DirectoryCommands,
): () => boolean {
  const { seedFile, topics } = config;
  if (seedFile === undefined) return () => true;
  const { directory } = follower;
  let isSeeded = false;
  writer.onOwned(() => {
    const seeding = readSeed(seedFile).then(async (seed) => {
      const last = await seedDirectory({ directory, directoryCommands, secrets }, seed);
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
  lifecycle.opened('writers', () =>
    Promise.all([...writers, directoryWriter].map((writer) => writer.close())),
  );
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
    directory,
    writers,
    newIdIn,
    findDuplicates: createFindDuplicates({ pool, directory }),
    now: Date.now,
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
