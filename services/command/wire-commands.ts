import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ProjectionWatch } from '../../shared/db/projection-watch.ts';
import type { DirectoryFollower } from '../../shared/directory/directory-follower.ts';
import type { Actor } from '../../shared/domain/access/actor.ts';
import type { Directory } from '../../shared/domain/directory/directory.ts';
import type { createAuthenticate } from '../../shared/http/authenticate.ts';
import { createKafkaConnection, type KafkaAddress } from '../../shared/kafka/connection.ts';
import { endOffset } from '../../shared/kafka/read-partitions.ts';
import type { Lifecycle } from '../../shared/runtime/lifecycle.ts';
import type { SecretBox } from '../../shared/secrets/secret-box.ts';
import { createDirectoryCommands, type DirectoryCommands } from './commands/directory-commands.ts';
import { createNumberSource } from './commands/number-source.ts';
import { createRecordCommands, type RecordCommands } from './commands/record-commands.ts';
import { requestQueueRun } from './commands/request-queue-run.ts';
import { resolveLinks } from './commands/resolve-links.ts';
import { readSeed, seedDirectory, systemActor } from './commands/seed-directory.ts';
import { createUntilReadable } from './commands/until-readable.ts';
import { createWebhookCommands } from './commands/webhook-commands.ts';
import type { CommandConfig } from './config.ts';
import { registerCommandRoutes } from './http/routes.ts';
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
  /** Every partition is owned, so any write can be taken. */
  isReady(): boolean;
  /** The command of a dispatcher whose receiver answered 410. */
  removeWebhook(webhookId: string): Promise<void>;
}

/** Wires the command side: writers, commands, routes; writes the seed if the directory lacks it. */
export async function wireCommands(deps: CommandDeps): Promise<CommandService> {
  const { config, follower, secrets } = deps;
  const { directory } = follower;
  const { writers, directoryWriter } = openWriters(deps);
  const directoryCommands = createDirectoryCommands({
    writer: directoryWriter,
    follower,
    untilReadable: createUntilReadable(deps.projection, config.topics.directory, Date.now),
    now: Date.now,
    timeoutMs: config.writeTimeoutMs,
  });
  const webhooks = wireWebhookCommands(deps, directoryCommands);
  registerCommandRoutes(deps.server, {
    directory,
    authenticate: deps.authenticate,
    records: wireRecordCommands(deps, writers),
    webhooks,
    processQueue: (actor) => requestQueueRun(directoryCommands, { actor, now: Date.now() }),
    openSecret: secrets.open,
  });
  if (config.seedFile !== undefined) {
    await seedDirectory({ directory, directoryCommands, secrets }, await readSeed(config.seedFile));
  }
  return {
    isReady: () => directoryWriter.isOwned() && writers.every((writer) => writer.isOwned()),
    removeWebhook: (id) => removeWebhook(directory, webhooks, id),
  };
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

function wireRecordCommands(deps: CommandDeps, writers: readonly PartitionWriter[]) {
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
    untilReadable: createUntilReadable(projection, topic, Date.now),
    newIdIn: createRecordIds(Date.now, partitions).inPartition,
    reserveNumber: (model, attribute) => numbers.reserve(model, attribute, numbered),
    resolveLinks: (request) => resolveLinks({ pool, directory }, request),
    now: Date.now,
    timeoutMs: config.writeTimeoutMs,
  });
}

function wireWebhookCommands(deps: CommandDeps, directoryCommands: DirectoryCommands) {
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
    newId: createRecordIds(Date.now, partitions).next,
    seal: deps.secrets.seal,
    recordsEnd: () => Promise.all(Array.from({ length: partitions }, recordsEnd)),
    maxPerUser: config.maxWebhooksPerUser,
  });
}

async function removeWebhook(
  directory: Directory,
  webhooks: RecordCommands,
  id: string,
): Promise<void> {
  const state = directory.record('Webhook', id);
  const model = directory.entity('Webhook');
  if (state === undefined || state.deleted || model === undefined) return;
  const actor: Actor = { ...systemActor, userName: 'system', type: 'admin', access: new Map() };
  await webhooks.remove({ actor, model, body: {}, correlationId: null, untilReadable: false, id });
}
