import type { DirectoryFollower } from '../../shared/directory/directory-follower.ts';
import { createKafkaConnection, type KafkaAddress } from '../../shared/kafka/connection.ts';
import { serviceGroupId } from '../../shared/kafka/group/service-groups.ts';
import { deliveryGroup, waitingTopics } from '../../shared/kafka/topics.ts';
import { createTransactor, type Transactor } from '../../shared/kafka/transactor.ts';
import { createTargetGuard } from '../../shared/net/create-target-guard.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import { runPeriodically } from '../../shared/runtime/run-periodically.ts';
import { createSecretBox } from '../../shared/secrets/secret-box.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import { type StorageWatch, watchStorage } from '../../shared/storage/watch-storage.ts';
import type { DispatcherConfig } from './config.ts';
import { createRequestWebhookRemoval } from './deliver/outcome/request-webhook-removal.ts';
import { trimRetries } from './deliver/progress/trim-retries.ts';
import { runDelivery } from './deliver/run-delivery.ts';
import { createPermits } from './deliver/scheduling/permits.ts';
import { Replays } from './replay/replays.ts';
import { measureQueue, type QueueCounts } from './window/measure-queue.ts';
import { Queue } from './window/queue.ts';
import { WorkShare } from './work-share.ts';

const TRIM_EVERY_MS = 600_000;

interface StartDeps {
  readonly kafka: KafkaAddress;
  readonly follower: DirectoryFollower;
  /** The address of this process's internal listener. */
  readonly address: string;
}

/** Starts this process's share of both stages: matching and enqueuing, and delivery. */
export async function wireWorkShare(
  { config, log, lifecycle, metrics, clock, crash }: ServiceContext<DispatcherConfig>,
  { kafka, follower, address }: StartDeps,
): Promise<WorkShare> {
  const { topicPrefix, topics, requestPortionSize } = config;
  const lookups = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for look-ups', lookups.close);
  const partitions = await keepTrying('partitions', log, () =>
    lookups.partitionsOf(topics.webhookBatches),
  );
  const { untilRoom } = watchStorage(config.storage, { metrics, lifecycle, log });
  const secrets = createSecretBox(config.secretKey);
  const permits = createPermits(requestPortionSize);
  const delivery = runDelivery({
    kafka,
    topics,
    topicPrefix,
    partitions,
    directory: follower.directory,
    catchUp: follower.catchUp,
    untilRoom,
    secrets,
    permits,
    removeWebhook: createRequestWebhookRemoval(follower, secrets.internalToken()),
    guard: createTargetGuard(config.targets),
    config: config.delivery,
    metrics,
    clock,
    log,
    onBug: crash,
  });
  lifecycle.opened('delivery', delivery.close);
  let queue: Queue | undefined;
  const measuring = createKafkaConnection(kafka, log);
  lifecycle.opened('connection for lags', measuring.close);
  const counts = measureQueue(metrics, {
    connection: measuring,
    positions: () => queue?.positions() ?? [],
  });
  const share = new WorkShare({
    kafka,
    groupId: serviceGroupId(topicPrefix, 'dispatcher'),
    address,
    partitions,
    isLimited: requestPortionSize > 0,
    startQueue(onFailure) {
      const parts = { config, kafka, follower, untilRoom, clock, log, onSuperseded: onFailure };
      const replays = startReplays(parts);
      const trimming = startTrimming(parts);
      const started = startQueue({ ...parts, counts, onRun: permits.startRun });
      queue = started;
      return {
        isWorking: () => started.isWorking(),
        close: () => Promise.all([started.close(), replays.close(), trimming.close()]),
      };
    },
    startDelivery: delivery.open,
    crash,
    log,
  });
  lifecycle.opened('dispatching', () => share.close());
  return share;
}

interface QueueParts
  extends Pick<ServiceContext<DispatcherConfig>, 'config' | 'clock' | 'log'>,
    Omit<StartDeps, 'address'> {
  readonly untilRoom: StorageWatch['untilRoom'];
  readonly onSuperseded: (error: unknown) => void;
}

function startQueue(
  parts: QueueParts & { readonly onRun: () => void; readonly counts: QueueCounts },
): Queue {
  const { config, kafka, log } = parts;
  return new Queue({
    ...parts,
    reading: createKafkaConnection(kafka, log),
    lookups: createKafkaConnection(kafka, log),
    transactor: openTransactor(parts, 'queue'),
    topics: config.topics,
    config: config.queue,
  });
}

/** Trims all partitions. Only the process that runs the queue does this. */
function startTrimming({ config: { topicPrefix, topics }, kafka, log }: QueueParts) {
  const positionsGroup = deliveryGroup(topicPrefix);
  const trim = () => trimRetries({ kafka, topics: waitingTopics(topics), positionsGroup, log });
  return runPeriodically(trim, {
    log,
    what: 'processed entries of the topics with waiting batches',
    everyMs: TRIM_EVERY_MS,
  });
}

function startReplays(parts: QueueParts): Replays {
  const { config, kafka, log } = parts;
  return new Replays({
    ...parts,
    connection: createKafkaConnection(kafka, log),
    transactor: openTransactor(parts, 'replay'),
    topics: config.topics,
    batchSize: config.queue.batchSize,
    eventsPerSecond: config.replayEventsPerSecond,
  });
}

function openTransactor(
  { config: { topicPrefix }, kafka, log }: QueueParts,
  name: 'queue' | 'replay',
): Transactor {
  const transactionalId = `${topicPrefix}.dispatcher.${name}`;
  return createTransactor(
    kafka,
    { transactionalId, positionsGroup: `${topicPrefix}.${name}` },
    log,
  );
}
