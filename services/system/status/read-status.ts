import type { Client } from 'pg';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositions, loadPositionsSoFar } from '../../../shared/db/positions.ts';
import {
  liveSchema,
  rebuildLock,
  rebuildSchema,
} from '../../../shared/db/tables/read-model-names.ts';
import { webhookJobName } from '../../../shared/domain/directory/queue-run.ts';
import type { Observed } from '../../../shared/installation/observed.ts';
import { type KafkaConnection, withKafka } from '../../../shared/kafka/connection.ts';
import { describeServices } from '../../../shared/kafka/group/service-groups.ts';
import { measureLag } from '../../../shared/kafka/measure-lag.ts';
import { compareTopics } from '../installation/compare-topics.ts';
import { inspectInstalledLog } from '../installation/inspect-installed-log.ts';
import { countDeadLetters } from './count-dead-letters.ts';
import { measureDisks } from './measure-disks.ts';
import { measureQueues } from './measure-queues.ts';

/** The route in status-routes.ts describes the parts. */
export type Status = Awaited<ReturnType<typeof readStatus>>;

/** Reads lags, queues, processes, rejected entries and disks. Throws Unavailable. */
export async function readStatus(observed: Observed) {
  return withKafka(observed, (connection) =>
    withConnection(observed.connect, (client) => readAll(observed, connection, client)),
  );
}

interface RejectedEntries {
  readonly topic: string;
  readonly partition: number;
  readonly reason: string;
  readonly entries: number;
  readonly lastOffset: number;
}

async function readAll(observed: Observed, connection: KafkaConnection, client: Client) {
  const groups = await describeServices(observed);
  const { missing, problems } = await compareTopics(observed);
  const { rows: rejected } = await client.query<RejectedEntries>(
    `select topic, partition, reason, count(*)::int as entries, max(log_offset)::float8 as "lastOffset"
     from ${liveSchema}.rejected_entries group by 1, 2, 3 order by 1, 2, 3`,
  );
  const partitions = await readPartitionStatus(connection, client, groups);
  const queues = missing.length > 0 ? [] : await measureQueues(observed, connection);
  const entries = partitions.reduce((sum, { end }) => sum + end, 0);
  const { verdict } = await inspectInstalledLog(observed);
  return {
    partitions,
    rebuild: await measureRebuild(client, entries),
    instances: {
      apis: groups.api.members,
      projectors: groups.projector.members,
      dispatchers: groups.dispatcher.members,
    },
    topics: { missing, differing: [...new Set(problems.map(({ topic }) => topic))] },
    queues,
    jobs: [
      {
        name: webhookJobName,
        waiting: queues.reduce((sum, { waiting }) => sum + waiting, 0),
        seconds: Math.max(0, ...queues.map(({ seconds }) => seconds)),
      },
    ],
    deadLetters: await countDeadLetters(client),
    rejected,
    disks: await measureDisks(observed.storage),
    refused: verdict.kind === 'refused' ? { says: verdict.says, remedy: verdict.remedy } : null,
  };
}

async function readPartitionStatus(
  connection: KafkaConnection,
  client: Client,
  { api, projector }: Awaited<ReturnType<typeof describeServices>>,
) {
  const positions = [...(await loadPositions(client))].sort(
    (one, other) => one.topic.localeCompare(other.topic) || one.partition - other.partition,
  );
  const lags = await measureLag(connection, positions, Date.now());
  return positions.map(({ topic, partition, offset }, index) => {
    const { entries = 0, seconds = 0, damage } = lags[index] ?? {};
    const projected = Number(offset);
    const resource = `${topic}/${partition}`;
    return {
      topic,
      partition,
      end: projected + entries,
      projected,
      behind: entries,
      seconds,
      damage: damage === undefined ? null : { reason: damage.message, remedy: damage.remedy ?? '' },
      owner: api.addresses.get(resource) ?? null,
      projector: projector.addresses.get(resource) ?? null,
    };
  });
}

/**
 * Measures the progress of a rebuild next to the live read model; null if none is running. `entries` is the number of
 * entries in the log. After a rebuild has read all of them, it creates indexes and then replaces the live read model.
 */
export async function measureRebuild(client: Client, entries: number) {
  const positions = await loadPositionsSoFar(client, rebuildSchema);
  if (positions.length === 0) return null;
  const { rowCount } = await client.query(
    `select 1 from pg_locks where locktype = 'advisory' and classid = 0 and objid = $1 and granted
     and database = (select oid from pg_database where datname = current_database())`,
    [rebuildLock],
  );
  const taken = positions.reduce((sum, { offset }) => sum + Number(offset), 0);
  return { isRunning: rowCount !== 0, taken: Math.min(taken, entries), entries };
}
