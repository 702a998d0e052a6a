import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { ProjectionWatch } from '../../shared/db/projection-watch.ts';
import type { DirectoryFollower } from '../../shared/directory/directory-follower.ts';
import type { createAuthenticate } from '../../shared/http/authenticate.ts';
import { createKafkaConnection, type KafkaAddress } from '../../shared/kafka/connection.ts';
import { endOffset } from '../../shared/kafka/read-partitions.ts';
import type { Lifecycle } from '../../shared/runtime/lifecycle.ts';
import type { SecretBox } from '../../shared/secrets/secret-box.ts';
import { createDirectoryCommands } from './commands/directory-commands.ts';
import { createNumberSource } from './commands/number-source.ts';
import { createRecordCommands } from './commands/record-commands.ts';
import { requestQueueRun } from './commands/request-queue-run.ts';
import { resolveLinks } from './commands/resolve-links.ts';
import { readSeed, seedDirectory, systemActor } from './commands/seed-directory.ts';
import { createWebhookCommands } from './commands/webhook-commands.ts';
import type { CommandConfig } from './config.ts';
import { registerCommandRoutes } from './http/routes.ts';
import { openDirectoryWriter, openRecordsWriter } from './writer/open-writers.ts';
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
export async function startCommand(deps: CommandDeps): Promise<CommandService> {
  const { config, follower, pool, projection, secrets, lifecycle, log } = deps;
  const { directory } = follower;
  const writerDeps = {
    kafka: deps.kafka,
    topics: config.topics,
    pool,
    projection,
    follower,
    address: deps.internalAddress,
    log,
  };
  const writers = Array.from({ length: deps.partitions }, (_, partition) =>
    openRecordsWriter(writerDeps, partition),
  );
  const directoryWriter = openDirectoryWriter(writerDeps);
  lifecycle.opened('writers', () =>
    Promise.all([...writers, directoryWriter].map((writer) => writer.close())),
  );

  const ids = createRecordIds(Date.now, deps.partitions);
  const timeoutMs = config.writeTimeoutMs;
  const directoryCommands = createDirectoryCommands({
    writer: directoryWriter,
    topic: config.topics.directory,
    follower,
    projection,
    now: Date.now,
    timeoutMs,
  });
  const numbers = createNumberSource({ pool, partitions: deps.partitions });
  const numbered = writers.map((writer, partition) => ({
    partition,
    token: writer.token,
    caughtUp: () =>
      projection.passed(config.topics.records, partition, writer.position().offset - 1n),
  }));
  const resolve = (request: Parameters<typeof resolveLinks>[1]) =>
    resolveLinks({ pool, directory }, request);
  const records = createRecordCommands({
    directory,
    topic: config.topics.records,
    writers,
    projection,
    newIdIn: ids.inPartition,
    reserveNumber: (model, attribute) => numbers.reserve(model, attribute, numbered),
    resolveLinks: resolve,
    now: Date.now,
    timeoutMs,
  });
  const asking = createKafkaConnection(deps.kafka, log);
  lifecycle.opened('connection for offsets', asking.close);
  const webhooks = createWebhookCommands({
    directory,
    directoryCommands,
    resolveLinks: resolve,
    newId: ids.next,
    seal: secrets.seal,
    recordsEnd: () =>
      Promise.all(
        writers.map((_, partition) => endOffset(asking, config.topics.records, partition)),
      ),
    maxPerUser: config.maxWebhooksPerUser,
  });

  registerCommandRoutes(deps.server, {
    directory,
    authenticate: deps.authenticate,
    records,
    webhooks,
    processQueue: (actor) => requestQueueRun(directoryCommands, { actor, now: Date.now() }),
    openSecret: secrets.open,
  });
  if (config.seedFile !== undefined) {
    await seedDirectory({ directory, directoryCommands, secrets }, await readSeed(config.seedFile));
  }

  return {
    isReady: () => directoryWriter.isOwned() && writers.every((writer) => writer.isOwned()),
    async removeWebhook(webhookId) {
      const state = directory.record('Webhook', webhookId);
      const model = directory.entity('Webhook');
      if (state === undefined || state.deleted || model === undefined) return;
      await webhooks.remove({
        actor: { ...systemActor, userName: 'system', type: 'admin', access: new Map() },
        model,
        body: {},
        correlationId: null,
        untilReadable: false,
        id: webhookId,
      });
    },
  };
}
