import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ProjectionWatch } from '../../shared/db/projection-watch.ts';
import type { DirectoryFollower } from '../../shared/directory/directory-follower.ts';
import { decodeReplayProgress } from '../../shared/events/replay-progress.ts';
import type { createAuthenticate } from '../../shared/http/authenticate.ts';
import { createAppend } from '../../shared/kafka/append.ts';
import { createKafkaConnection, type KafkaAddress } from '../../shared/kafka/connection.ts';
import { readCompacted } from '../../shared/kafka/read-compacted.ts';
import { endOffset } from '../../shared/kafka/read-partitions.ts';
import type { Lifecycle } from '../../shared/runtime/lifecycle.ts';
import type { SecretBox } from '../../shared/secrets/secret-box.ts';
import { createDirectoryCommands, type DirectoryCommands } from './commands/directory-commands.ts';
import { createNumberSource } from './commands/number-source.ts';
import { createRecordCommands, type RecordCommands } from './commands/record-commands.ts';
import { resolveLinks } from './commands/resolve-links.ts';
import { readSeed, seedDirectory } from './commands/seed-directory.ts';
import { createWebhookCommands, type WebhookCommands } from './commands/webhook-commands.ts';
import { createWebhookDeliveries, type WebhookDeliveries } from './commands/webhook-deliveries.ts';
import type { CommandConfig } from './config.ts';
import { createExecute } from './forward/execute-command.ts';
import { createExecuteForwarded, type ExecuteForwarded } from './forward/execute-forwarded.ts';
import { createFindPlace } from './forward/find-place.ts';
import { Ownership } from './forward/ownership.ts';
import { createRouteCommand, type RouteCommand } from './forward/route-commands.ts';
import { createCommandSender } from './forward/send-command.ts';
import { createUntilReadable } from './forward/until-readable.ts';
import { registerReplayRoutes } from './http/replay-routes.ts';
import { registerCommandRoutes } from './http/routes.ts';
import { registerWebhookRoutes } from './http/webhook-routes.ts';
import { NotOwner } from './writer/not-owner.ts';
import { openDirectoryWriter, openRecordsWriter } from './writer/open-writers.ts';
import type { PartitionWriter } from './writer/partition-writer.ts';
import { createRecordIds } from './writer/record-ids.ts';

export interface CommandDeps {
  readonly config: CommandConfig;
  readonly kafka: KafkaAddress;
  readonly partitions: number;
  readonly pool: Pool;
  readonly projection: ProjectionWatch;
  readonly follower: DirectoryFollower;
  readonly secrets: SecretBox;
  readonly authenticate: ReturnType<typeof createAuthenticate>;
  readonly server: FastifyInstance;
  /** Where other services send their commands. */
  readonly internalAddress: string;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
}

export interface CommandService {
  /** Every partition has an owner, here or elsewhere, so any write can be taken. */
  isReady(): boolean;
  /** For commands of this process itself. */
  readonly route: RouteCommand;
  /** For commands that other instances send here. */
  readonly executeForwarded: ExecuteForwarded;
  /** Gives the partitions to other instances, if there are any. */
  handOver(): Promise<void>;
}

/** Wires the command side: writers, commands, routes; writes the seed if the directory lacks it. */
export function wireCommands(deps: CommandDeps): CommandService {
  const { config, follower, kafka, lifecycle, log } = deps;
  const { topics } = config;
  const { writers, directoryWriter } = openWriters(deps);
  const ids = createRecordIds(Date.now, deps.partitions);
  const directoryCommands = createDirectoryCommands(directoryWriter);
  const execute = createExecute({
    records: wireRecordCommands(deps, writers, ids.inPartition),
    webhooks: wireWebhookCommands(deps, directoryCommands, ids.next),
    directoryCommands,
    now: Date.now,
  });
  const byPartition = writers.map(
    (writer, partition) => [`${topics.records}/${partition}`, writer] as const,
  );
  const ownership = new Ownership({
    kafka,
    groupId: `${config.topicPrefix}.owners`,
    address: deps.internalAddress,
    writers: new Map([[`${topics.directory}/0`, directoryWriter], ...byPartition]),
    log,
  });
  lifecycle.opened('ownership', () => ownership.close());
  const sender = createCommandSender(deps.secrets.internalToken());
  lifecycle.opened('connections to owners', sender.close);
  const place = createFindPlace({ topics, partitions: deps.partitions, ids });
  const route = createRouteCommand({
    ...place,
    ownership,
    sender,
    execute,
    untilReadable: createUntilReadable({ ...deps, topics, now: Date.now }),
    directoryOffset: follower.offset,
    now: Date.now,
  });
  registerCommandRoutes(deps.server, {
    directory: follower.directory,
    authenticate: deps.authenticate,
    route,
    openSecret: deps.secrets.open,
    timeoutMs: config.writeTimeoutMs,
    now: Date.now,
  });
  registerMoreWebhookRoutes(deps, route);
  const isSeeded = keepSeeded(deps, directoryWriter, directoryCommands);
  return {
    isReady: () => ownership.isReady() && (isSeeded() || !directoryWriter.isOwned()),
    route,
    executeForwarded: createExecuteForwarded({ follower, execute, topics, now: Date.now }),
    handOver: () => ownership.handOver(),
  };
}

/** Whoever comes to decide about the directory sees to it that the first users are there. Answers whether they are. */
function keepSeeded(
  { config, follower, secrets, log }: CommandDeps,
  writer: PartitionWriter,
  directoryCommands: DirectoryCommands,
): () => boolean {
  const { seedFile } = config;
  if (seedFile === undefined) return () => true;
  const { directory } = follower;
  let isSeeded = false;
  writer.onOwned(() => {
    const seeding = readSeed(seedFile).then(async (seed) => {
      await seedDirectory({ directory, directoryCommands, secrets }, seed);
      isSeeded = true;
    });
    seeding.catch((err: unknown) => {
      if (!(err instanceof NotOwner)) log.error({ err }, 'first users not written');
    });
  });
  return () => isSeeded;
}

function openWriters(deps: CommandDeps) {
  const { config, lifecycle } = deps;
  const writerDeps = { ...deps, topics: config.topics, address: deps.internalAddress };
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
): RecordCommands {
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
    reserveNumber: (model, attribute, only) =>
      numbers.reserve(
        model,
        attribute,
        numbered.filter(({ partition }) => only === undefined || partition === only),
      ),
    resolveLinks: (request) => resolveLinks({ pool, directory }, request),
  });
}

function registerMoreWebhookRoutes(deps: CommandDeps, route: RouteCommand): void {
  const { authenticate, config, follower, kafka, lifecycle, log, server } = deps;
  registerWebhookRoutes(server, { authenticate, deliveries: wireWebhookDeliveries(deps) });
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for replays', connection.close);
  registerReplayRoutes(server, {
    directory: follower.directory,
    authenticate,
    route,
    async readProgress() {
      const values = await readCompacted(connection, config.topics.webhookReplays);
      return new Map([...values].map(([id, value]) => [id, decodeReplayProgress(value)]));
    },
    timeoutMs: config.writeTimeoutMs,
  });
}

function wireWebhookDeliveries(deps: CommandDeps): WebhookDeliveries {
  const { config, follower, kafka, lifecycle, log, partitions, pool } = deps;
  const connection = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for redeliveries', connection.close);
  return createWebhookDeliveries({
    directory: follower.directory,
    pool,
    append: createAppend(connection),
    batchesTopic: config.topics.webhookBatches,
    partitions,
    now: Date.now,
  });
}

function wireWebhookCommands(
  deps: CommandDeps,
  directoryCommands: DirectoryCommands,
  newId: () => string,
): WebhookCommands {
  const { config, follower, pool, lifecycle, partitions } = deps;
  const { directory } = follower;
  const asking = createKafkaConnection(deps.kafka, deps.log);
  lifecycle.opened('connection for offsets', asking.close);
  const recordsEnd = (_: unknown, partition: number) =>
    endOffset(asking, config.topics.records, partition);
  return createWebhookCommands({
    directory,
    directoryCommands,
    resolveLinks: (request) => resolveLinks({ pool, directory }, request),
    newId,
    secrets: deps.secrets,
    recordsEnd: () => Promise.all(Array.from({ length: partitions }, recordsEnd)),
    maxPerUser: config.maxWebhooksPerUser,
    now: Date.now,
  });
}
