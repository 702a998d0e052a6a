import type { Logger } from 'pino';
import type { DirectoryFollower } from '../../shared/directory/directory-follower.ts';
import { createKafkaConnection, type KafkaAddress } from '../../shared/kafka/connection.ts';
import { createTransactor } from '../../shared/kafka/transactor.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import type { DispatcherConfig } from './config.ts';
import { createPermits } from './deliver/permits.ts';
import { createRemoveWebhook } from './deliver/remove-webhook.ts';
import { runDelivery } from './deliver/run-delivery.ts';
import type { Work } from './duty.ts';
import { Queue } from './window/queue.ts';

interface DispatchingDeps {
  readonly config: DispatcherConfig;
  readonly kafka: KafkaAddress;
  readonly follower: DirectoryFollower;
  readonly log: Logger;
  /** Neither stage can go on: a bug, or TransactionSuperseded. */
  readonly onFailure: (error: unknown) => void;
}

/** Both stages of the dispatcher: matching and enqueuing, and delivery. */
export function startDispatching(deps: DispatchingDeps): Work {
  const { config, kafka, follower, log, onFailure } = deps;
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
    onFailure,
  });
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
    onSuperseded: onFailure,
  });
  return {
    isWorking: () => queue.isWorking(),
    // The queue first: nothing new is enqueued while delivery finishes.
    async close() {
      await queue.close();
      await delivery.close();
    },
  };
}
