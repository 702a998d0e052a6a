import { followDirectory } from '../../shared/directory/directory-follower.ts';
import { createInternalServer } from '../../shared/http/internal-server.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { ensureTopics } from '../../shared/kafka/topics.ts';
import { createTransactor } from '../../shared/kafka/transactor.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import { runService } from '../../shared/runtime/run-service.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import { loadConfig } from './config.ts';
import { createPermits } from './deliver/permits.ts';
import { createRemoveWebhook } from './deliver/remove-webhook.ts';
import { runDelivery } from './deliver/run-delivery.ts';
import { Queue } from './window/queue.ts';

await runService({
  name: 'dispatcher',
  env: process.env,
  loadConfig,
  async start({ config, log, lifecycle, crash }) {
    const kafka = { brokers: config.brokers, clientId: 'annals-dispatcher' };
    await keepTrying('topics', log, () => ensureTopics(kafka, config.topics, config, log));
    const follower = followDirectory(kafka, config.topics.directory, log);
    lifecycle.opened('directory', follower.close);
    await keepTrying('directory', log, follower.catchUp);

    const secrets = createSecretBox(config.secretKey);
    const permits = createPermits(config.requestPortionSize);
    const delivery = runDelivery({
      kafka,
      topics: config.topics,
      topicPrefix: config.topicPrefix,
      directory: follower.directory,
      secrets,
      permits,
      removeWebhook: createRemoveWebhook(follower, secrets.internalToken()),
      mayConnect: () => true,
      config: config.delivery,
      log,
      onFailure: crash,
    });
    lifecycle.opened('delivery', delivery.close);
    const queue = new Queue({
      reading: createKafkaConnection(kafka, log),
      asking: createKafkaConnection(kafka, log),
      transactor: createTransactor(
        kafka,
        {
          transactionalId: `${config.topicPrefix}.dispatcher.queue`,
          positionsGroup: `${config.topicPrefix}.queue`,
        },
        log,
      ),
      follower,
      topics: config.topics,
      config: config.queue,
      onRun: permits.startRun,
      now: Date.now,
      log,
      // The other one has the work now; a restart makes this one the newest again, so it waits for its turn to fail.
      onSuperseded: crash,
    });
    lifecycle.opened('queue', () => queue.close());

    const internal = createInternalServer({
      ...config.internal,
      log,
      async ready() {
        const checks = { queue: queue.isWorking() };
        return { ready: checks.queue, checks };
      },
    });
    await internal.listen();
    lifecycle.opened('internal listener', internal.close);
  },
});
