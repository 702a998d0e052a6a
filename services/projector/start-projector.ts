import { withConnection } from '../../shared/db/pool.ts';
import { toReadiness, withProjection } from '../../shared/http/observe/register-health.ts';
import { createInternalServer } from '../../shared/http/server/internal-server.ts';
import { guardLog } from '../../shared/installation/guard-log.ts';
import { createKafkaConnection } from '../../shared/kafka/connection.ts';
import { joinGroup } from '../../shared/kafka/group/group-member.ts';
import { serviceGroupId } from '../../shared/kafka/group/service-groups.ts';
import { reportLag } from '../../shared/kafka/measure-lag.ts';
import type { ServiceContext } from '../../shared/service/run-service.ts';
import { serveSettings } from '../../shared/service/serve-settings.ts';
import { watchStorage } from '../../shared/storage/watch-storage.ts';
import { runAttempts } from './attempts/run-attempts.ts';
import type { ProjectorConfig } from './config.ts';
import { Projector } from './consume/projector.ts';
import type { BaseContext, ProjectorContext } from './context.ts';
import { createContext } from './create-context.ts';
import { runFiles } from './files/run-files.ts';
import { sweepLog } from './log-watch/sweep-log.ts';
import { watchTopics } from './log-watch/watch-topics.ts';
import type { SecondaryProjection } from './secondary/run-secondary-projection.ts';

/** Projects the log into the tables until the service's lifecycle is stopped. */
export async function startProjector(service: ServiceContext<ProjectorConfig>): Promise<void> {
  const { config, log, lifecycle, metrics } = service;
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
    onBug: service.reportBug,
  });
  serveSettings(internal.server, config);
  const address = await internal.listen();
  lifecycle.opened('internal listener', internal.close);
  const guard = guardLog(service, { clientId: 'annals-projector', onLost: service.restart });
  const opened = { ...service, kafka: guard.kafka };
  const topicWatch = watchTopics(opened);
  lifecycle.opened('topics', topicWatch.close);
  await guard.opened;
  const context = createContext(opened);
  watchStorage(config.storage, { metrics, lifecycle, log, onLow: () => void checkpoint(context) });
  const projector = new Projector(context);
  lifecycle.opened('projector', () => projector.close());
  obstacle = () => projector.obstacle();
  const secondary = openSecondaryProjections(context);
  checks = () => {
    const own = projector.checks();
    return { ...own, kafka: own.kafka && ![...secondary.values()].some((one) => one.isHeld()) };
  };
  const sweep = sweepLog(context);
  lifecycle.opened('log sweep', sweep.close);
  reportProgress(context, projector);
  const { directory, records } = config.topics;
  const first = `${directory}/0`;
  const resources = Array.from(
    { length: guard.partitionsOf(records) },
    (_, index) => `${records}/${index}`,
  );
  const member = joinGroup(
    context.kafka,
    {
      groupId: serviceGroupId(config.topicPrefix, 'projector'),
      resources: [first, ...resources, ...secondary.keys()],
      address,
      claims: () => projector.claims(),
      onAssigned({ mine }) {
        for (const [topic, one] of secondary) one.assign(mine.has(topic));
        projector.assign(mine.difference(secondary));
        // These run in only one process of the installation: the owner of this partition.
        for (const one of [topicWatch, sweep]) one.assign(mine.has(first));
      },
      crash: context.crash,
    },
    log,
  );
  lifecycle.opened('group', member.close);
}

/**
 * Opens the secondary projections. In the group, one of its topics represents each projection. This topic is the key of
 * the map.
 */
function openSecondaryProjections(context: BaseContext): ReadonlyMap<string, SecondaryProjection> {
  const { config, lifecycle } = context;
  const attempts = runAttempts(context);
  lifecycle.opened('webhook attempts', attempts.close);
  const files = runFiles(context);
  lifecycle.opened('files', files.close);
  return new Map([
    [config.topics.webhookAttempts, attempts],
    [config.topics.files, files],
  ]);
}

/**
 * Runs a checkpoint, so that Postgres can recycle segments of its write-ahead log. If it could not create a new segment
 * on a full disk, it would crash. Without the role `pg_checkpoint`, Postgres chooses the time of its checkpoints.
 */
async function checkpoint({ connect, log }: BaseContext): Promise<void> {
  try {
    await withConnection(connect, (client) => client.query('checkpoint'));
  } catch (err) {
    log.debug({ err }, 'checkpoint failed');
  }
}

function reportProgress(
  { kafka, lifecycle, log, metrics }: ProjectorContext,
  projector: Projector,
): void {
  const connection = createKafkaConnection(kafka, log);
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
