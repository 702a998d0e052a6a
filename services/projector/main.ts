import type { Logger } from 'pino';
import { createClient } from '../../shared/db/pool.ts';
import { followDirectory } from '../../shared/directory/directory-follower.ts';
import { createInternalServer } from '../../shared/http/internal-server.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { joinGroup } from '../../shared/kafka/group-member.ts';
import { ensureTopics } from '../../shared/kafka/topics.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import { runService } from '../../shared/runtime/run-service.ts';
import { runAttempts } from './attempts/run-attempts.ts';
import { loadConfig } from './config.ts';
import { Projector } from './consume/projector.ts';
import { ensureReadModel } from './rebuild/ensure-read-model.ts';

await runService({
  name: 'projector',
  env: process.env,
  loadConfig,
  async start({ config, log, lifecycle, crash }) {
    const kafka = { brokers: config.brokers, clientId: 'annals-projector' };
    await keepTrying('topics', log, () => ensureTopics(kafka, config.topics, config, log));
    const follower = followDirectory(kafka, config.topics.directory, log);
    lifecycle.opened('directory', follower.close);
    const connection = createKafkaConnection(kafka, log);
    const connect = async () => {
      const client = createClient({
        url: config.databaseUrl,
        applicationName: 'annals-projector',
      });
      client.on('error', (err) => log.warn({ err }, 'database connection lost'));
      await client.connect();
      return client;
    };
    const rebuild = {
      kafka: createKafkaConnection(kafka, log),
      follower,
      topics: config.topics,
      connect,
      onProgress: createProgressLog(log),
      log,
    };
    lifecycle.opened('connection for rebuilds', rebuild.kafka.close);
    const projector = new Projector({
      kafka: connection,
      directory: follower,
      topics: config.topics,
      connect,
      ensureReadModel: (client) => ensureReadModel(rebuild, client),
      log,
    });
    lifecycle.opened('projector', () => projector.close());
    const attempts = runAttempts({
      kafka: createKafkaConnection(kafka, log),
      topics: config.topics,
      connect,
      retentionMs: config.attemptRetentionMs,
      now: Date.now,
      log,
      onBug: crash,
    });
    lifecycle.opened('webhook attempts', attempts.close);
    const internal = createInternalServer({
      ...config.internal,
      log,
      ready: async () => ({
        ready: projector.isWorking(),
        checks: { projector: projector.isWorking() },
      }),
    });
    const address = await internal.listen();
    lifecycle.opened('internal listener', internal.close);
    const { directory, records, webhookAttempts } = config.topics;
    const partitions = await keepTrying('partitions', log, () => connection.partitionsOf(records));
    const resources = Array.from({ length: partitions }, (_, index) => `${records}/${index}`);
    const member = joinGroup(
      kafka,
      {
        groupId: `${config.topicPrefix}.projectors`,
        resources: [`${directory}/0`, ...resources, webhookAttempts],
        address,
        claims: () => projector.claims(),
        onAssigned({ mine }) {
          attempts.assign(mine.has(webhookAttempts));
          projector.assign(mine.difference(new Set([webhookAttempts])));
        },
      },
      log,
    );
    lifecycle.opened('group', member.close);
  },
});

const PROGRESS_EVERY_MS = 5_000;

function createProgressLog(log: Logger) {
  let loggedAt = 0;
  return (progress: { readonly done: number; readonly total: number }): void => {
    if (Date.now() - loggedAt < PROGRESS_EVERY_MS) return;
    loggedAt = Date.now();
    log.info(progress, 'rebuilding');
  };
}
