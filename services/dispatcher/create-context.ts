import type { DirectoryFollower } from '../../shared/directory/directory-follower.ts';
import { createRequestOwner } from '../../shared/directory/request-owner.ts';
import { createKafkaConnection, type KafkaAddress } from '../../shared/kafka/connection.ts';
import { createTargetGuard } from '../../shared/net/create-target-guard.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import { watchStorage } from '../../shared/storage/watch-storage.ts';
import type { DispatcherConfig } from './config.ts';
import type { DispatcherContext } from './context.ts';
import { createRequestWebhookRemoval } from './deliver/outcome/webhook-removal.ts';

/** Creates the dependencies of all features of the dispatcher. `address` is the address of the internal listener. */
export async function createContext(
  service: ServiceContext<DispatcherConfig>,
  opened: {
    readonly kafka: KafkaAddress;
    readonly follower: DirectoryFollower;
    readonly address: string;
  },
): Promise<DispatcherContext> {
  const { config, lifecycle, log } = service;
  const { follower, kafka } = opened;
  const lookups = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for look-ups', lookups.close);
  const partitions = await keepTrying('partitions', log, () =>
    lookups.partitionsOf(config.topics.webhookBatches),
  );
  const secrets = createSecretBox(config.secretKey);
  return {
    ...service,
    ...opened,
    topics: config.topics,
    partitions,
    directory: follower.directory,
    catchUp: follower.catchUp,
    untilRoom: watchStorage(config.storage, service).untilRoom,
    secrets,
    guard: createTargetGuard(config.targets),
    removeWebhook: createRequestWebhookRemoval(
      createRequestOwner(follower, secrets.internalToken()),
    ),
  };
}
