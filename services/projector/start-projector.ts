import type { Client } from 'pg';
import type { Logger } from 'pino';
import { orOutage } from '../../shared/db/outage-of.ts';
import { createClient, withConnection } from '../../shared/db/pool.ts';
import { requireSession } from '../../shared/db/require-session.ts';
import {
  type DirectoryFollower,
  followDirectory,
} from '../../shared/directory/directory-follower.ts';
import { toReadiness, withProjection } from '../../shared/http/observe/register-health.ts';
import { createInternalServer } from '../../shared/http/server/internal-server.ts';
import { guardLog } from '../../shared/installation/guard-log.ts';
import {
  createKafkaConnection,
  type KafkaAddress,
  type KafkaConnection,
} from '../../shared/kafka/connection.ts';
import { joinGroup } from '../../shared/kafka/group/group-member.ts';
import { serviceGroupId } from '../../shared/kafka/group/service-groups.ts';
import { reportLag } from '../../shared/kafka/measure-lag.ts';
import { keepTrying } from '../../shared/runtime/keep-trying.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import { serveSettings } from '../../shared/service/serve-settings.ts';
import { type StorageWatch, watchStorage } from '../../shared/storage/watch-storage.ts';
import { runAttempts } from './attempts/run-attempts.ts';
import type { ProjectorConfig } from './config.ts';
import { createProjectorMeter } from './consume/measure-projector.ts';
import { Projector } from './consume/projector.ts';
import { runFiles } from './files/run-files.ts';
import { type LogSweep, sweepLog } from './log-watch/sweep-log.ts';
import { watchTopics } from './log-watch/watch-topics.ts';
import { ensureReadModel } from './rebuild/ensure-read-model.ts';
import type { SecondaryProjection } from './secondary/run-secondary-projection.ts';
import { collectSeries } from './series/collect-series.ts';
import { createProcessReader } from './series/read-processes.ts';
import { keepTextIndexes } from './tables/keep-text-indexes.ts';

type Context = ServiceContext<ProjectorConfig>;

/** Projects the log into the tables until its lifecycle is stopped. */
export async function startProjector(context: Context): Promise<void> {
  const { config, log, lifecycle, metrics, crash, restart } = context;
  let checks: Projector['checks'] = () => ({
    assigned: false,
    kafka: false,
    postgres: false,
    readModel: false,
  });
  let obstacle: Projector['obstacle'] = () => undefined;
  // Opened first, so that readiness can be read during the start.
  const ready = async () => withProjection(toReadiness(checks()), obstacle(), { isRequired: true });
  const internal = createInternalServer({
    ...config.internal,
    log,
    metrics,
    ready,
    onBug: context.reportBug,
  });
  serveSettings(internal.server, config);
  const address = await internal.listen();
  lifecycle.opened('internal listener', internal.close);
  const guard = guardLog(context, { clientId: 'annals-projector', onLost: restart });
  const { kafka } = guard;
  const topicWatch = watchTopics({ ...config, kafka, metrics, log });
  lifecycle.opened('topics', topicWatch.close);
  await guard.opened;
  const follower = followDirectory(kafka, config.topics.directory, log);
  lifecycle.opened('directory', follower.close);
  const connection = createKafkaConnection(kafka, log);
  const connect = createConnect(config.databaseUrl, log);
  const onLow = () => void checkpoint(connect, log);
  const storage = watchStorage(config.storage, { metrics, lifecycle, log, onLow });
  const sources = { kafka, connection, connect, follower };
  const projector = openProjector(context, sources);
  obstacle = () => projector.obstacle();
  const secondary = openSecondaryProjections(context, sources);
  checks = () => {
    const own = projector.checks();
    return { ...own, kafka: own.kafka && ![...secondary.values()].some((one) => one.isHeld()) };
  };
  const series = openSeries(context, sources, storage);
  const sweep = openSweep(context, kafka);
  reportProgress(context, createKafkaConnection(kafka, log), projector);
  const { directory, records } = config.topics;
  const partitions = await keepTrying('partitions', log, () => connection.partitionsOf(records));
  const first = `${directory}/0`;
  const resources = Array.from({ length: partitions }, (_, index) => `${records}/${index}`);
  const member = joinGroup(
    kafka,
    {
      groupId: serviceGroupId(config.topicPrefix, 'projector'),
      resources: [first, ...resources, ...secondary.keys()],
      address,
      claims: () => projector.claims(),
      onAssigned({ mine }) {
        for (const [topic, one] of secondary) one.assign(mine.has(topic));
        projector.assign(mine.difference(secondary));
        // These run in one process of the installation: in the one that has this partition.
        for (const one of [series, topicWatch, sweep]) one.assign(mine.has(first));
      },
      crash,
    },
    log,
  );
  lifecycle.opened('group', member.close);
}

/** The log that is read, and the database that stores it. */
interface Sources {
  readonly kafka: KafkaAddress;
  readonly connection: KafkaConnection;
  readonly connect: () => Promise<Client>;
  readonly follower: DirectoryFollower;
}

/** Opens the projection of records, together with the rebuild of its tables. */
function openProjector(
  { config, log, lifecycle, metrics, crash }: Context,
  { kafka, connection, connect, follower }: Sources,
): Projector {
  const stopping = new AbortController();
  const rebuild = {
    kafka: createKafkaConnection(kafka, log),
    source: { ...config, kafka },
    signal: stopping.signal,
    follower,
    connect,
    onProgress: createProgressLog(log),
    log,
  };
  const textIndexes = keepTextIndexes({ connect, follower, log, onBug: crash });
  lifecycle.opened('text indexes', textIndexes.close);
  const projector = new Projector({
    kafka: connection,
    directory: follower,
    topics: config.topics,
    connect,
    ensureReadModel: (client) => ensureReadModel(rebuild, client),
    meter: createProjectorMeter(metrics, log),
    onStored: textIndexes.touched,
    log,
  });
  lifecycle.opened('projector', async () => {
    const closed = projector.close();
    // Ends a rebuild that may be running.
    stopping.abort();
    await rebuild.kafka.close();
    await closed;
  });
  return projector;
}

/** Opens the secondary projections. In the group, each is represented by one of its topics, the key of the map. */
function openSecondaryProjections(
  { config, log, lifecycle, metrics, crash }: Context,
  { kafka, connect }: Sources,
): ReadonlyMap<string, SecondaryProjection> {
  const deps = () => ({ kafka: createKafkaConnection(kafka, log), connect, log, onBug: crash });
  const { topics, attemptRetentionMs: retentionMs } = config;
  const attempts = runAttempts({ ...deps(), topics, retentionMs, now: Date.now });
  lifecycle.opened('webhook attempts', attempts.close);
  const files = runFiles({ ...deps(), topic: topics.files, metrics });
  lifecycle.opened('files', files.close);
  return new Map([
    [topics.webhookAttempts, attempts],
    [topics.files, files],
  ]);
}

/** Collects the time series of the whole installation. */
function openSeries(
  { config, log, lifecycle }: Context,
  { kafka, connect }: Sources,
  storage: StorageWatch,
) {
  const series = collectSeries({
    readProcesses: createProcessReader({ kafka, topicPrefix: config.topicPrefix, log }),
    connect,
    hasRoom: () => storage.level() === 'plenty',
    everyMs: config.seriesIntervalMs,
    log,
  });
  lifecycle.opened('series', series.close);
  return series;
}

function openSweep({ config, log, lifecycle }: Context, kafka: KafkaAddress): LogSweep {
  const { directory, records, files } = config.topics;
  const reading = createKafkaConnection(kafka, log);
  const sweep = sweepLog({ kafka: reading, topics: [directory, records, files], log });
  lifecycle.opened('log sweep', sweep.close);
  return sweep;
}

function createConnect(url: string, log: Logger) {
  return async () => {
    const config = { url, applicationName: 'annals-projector' };
    const client = createClient(config);
    client.on('error', (err) => log.warn({ err: orOutage(err) }, 'database connection lost'));
    await client.connect();
    await requireSession(client, config);
    return client;
  };
}

/**
 * Runs a checkpoint, so that Postgres can recycle segments of its write-ahead log: on a full disk it could not create a
 * new segment, and would crash. Without the role `pg_checkpoint`, Postgres chooses the time of its checkpoints.
 */
async function checkpoint(connect: () => Promise<Client>, log: Logger): Promise<void> {
  try {
    await withConnection(connect, (client) => client.query('checkpoint'));
  } catch (err) {
    log.debug({ err }, 'checkpoint failed');
  }
}

function reportProgress(
  { metrics, lifecycle }: Context,
  connection: KafkaConnection,
  projector: Projector,
): void {
  lifecycle.opened('lag connection', connection.close);
  const positions = () => projector.positions();
  const names = {
    entries: 'annals_projector_lag_entries',
    seconds: 'annals_projector_lag_seconds',
  } as const;
  reportLag(metrics, names, { connection, positions });
  metrics.read('annals_projector_assigned_partitions', () => positions().length);
  metrics.read('annals_projector_quarantined_records', () => projector.quarantined());
}

const PROGRESS_EVERY_MS = 5_000;

function createProgressLog(log: Logger) {
  let loggedAt = 0;
  return (progress: { readonly done: number; readonly total: number }): void => {
    if (Date.now() - loggedAt < PROGRESS_EVERY_MS) return;
    loggedAt = Date.now();
    log.info(progress, 'rebuilding');
  };
}
