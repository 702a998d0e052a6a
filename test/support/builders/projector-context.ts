import { pino } from 'pino';
import { loadProjectorConfig } from '../../../services/projector/config.ts';
import { createProjectorMeter } from '../../../services/projector/consume/measure-projector.ts';
import type { ProjectorContext } from '../../../services/projector/context.ts';
import { ensureReadModel } from '../../../services/projector/rebuild/ensure-read-model.ts';
import { createClient } from '../../../shared/db/pool.ts';
import type { DirectoryFollower } from '../../../shared/directory/directory-follower.ts';
import { createDirectory } from '../../../shared/domain/directory/directory.ts';
import { stockDefinitions } from '../../../shared/domain/entity/stock/stock-definitions.ts';
import type { KafkaAddress } from '../../../shared/kafka/connection.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import { systemClock } from '../../../shared/runtime/clock.ts';
import { createMetrics } from '../../../shared/runtime/metrics.ts';

interface Places {
  readonly kafka: KafkaAddress;
  readonly topics: TopicNames;
  readonly databaseUrl: string;
  /** Defaults to a follower of an empty directory. */
  readonly follower?: DirectoryFollower;
  readonly attemptRetentionMs?: number;
  /** Called with an error that would end the process. */
  readonly crash?: (error: unknown) => void;
}

/** Returns the context of a projector that works with these topics and this database, without logs. */
export function projectorContext(places: Places): ProjectorContext {
  const { kafka, topics, databaseUrl, crash = () => undefined } = places;
  const { follower = emptyFollower() } = places;
  const log = pino({ level: 'silent' });
  const metrics = createMetrics('projector-test');
  const read = loadProjectorConfig({
    KAFKA_BROKERS: kafka.brokers.join(','),
    DATABASE_URL: databaseUrl,
    ANNALS_SECRET_KEY: '0'.repeat(64),
    INTERNAL_PORT: '0',
  });
  const { attemptRetentionMs = read.attemptRetentionMs } = places;
  const base = {
    config: { ...read, topics, attemptRetentionMs },
    kafka,
    follower,
    async connect() {
      const client = createClient({ url: databaseUrl, applicationName: 'projector-test' });
      client.on('error', () => undefined);
      await client.connect();
      return client;
    },
    log,
    metrics,
    lifecycle: { opened: () => undefined, stop: async () => undefined, isStopping: () => false },
    clock: systemClock,
    crash,
    reportBug: () => undefined,
    restart: () => undefined,
  };
  return {
    ...base,
    meter: createProjectorMeter(metrics, log),
    ensureReadModel: (client, signal) => ensureReadModel(base, client, signal),
    onStored: () => undefined,
  };
}

/** Returns a follower that has read an empty directory. */
function emptyFollower(): DirectoryFollower {
  return {
    directory: createDirectory(stockDefinitions),
    offset: () => 0n,
    ownerAddress: () => undefined,
    catchUp: async () => undefined,
    waitFor: async () => undefined,
    onChange: () => () => undefined,
    onEvent: () => undefined,
    close: async () => undefined,
  };
}
