import type { Client } from 'pg';
import { withConnection } from '../../../shared/db/pool.ts';
import { loadPositions } from '../../../shared/db/positions.ts';
import { liveSchema } from '../../../shared/db/tables/read-model-names.ts';
import { webhookJobName } from '../../../shared/domain/directory/queue-run.ts';
import type { Observed } from '../../../shared/installation/observed.ts';
import { type KafkaConnection, withKafka } from '../../../shared/kafka/connection.ts';
import { describeServices } from '../../../shared/kafka/group/service-groups.ts';
import { measureLag } from '../../../shared/kafka/measure-lag.ts';
import { lookAtTopics } from '../installation/compare-topics.ts';
import { judgeInstalledLog } from '../installation/inspect-installed-log.ts';
import { countDeadLetters, type DeadLetterCount } from './count-dead-letters.ts';
import { type Disk, measureDisks } from './measure-disks.ts';
import { measureQueues, type WebhookQueue } from './measure-queues.ts';
import { measureRebuild, type Rebuild } from './measure-rebuild.ts';

interface PartitionStatus {
  readonly topic: string;
  readonly partition: number;
  readonly end: number;
  readonly projected: number;
  /** The number of unprojected entries. */
  readonly behind: number;
  /** Age of the oldest unprojected entry. */
  readonly seconds: number;
  /** Why the next entry cannot be read, and the remedy; null if it can. */
  readonly damage: { readonly reason: string; readonly remedy: string } | null;
  /** The api that owns the partition; null while it has no owner. */
  readonly owner: string | null;
  readonly projector: string | null;
}

interface RejectedEntries {
  readonly topic: string;
  readonly partition: number;
  readonly reason: string;
  readonly entries: number;
  readonly lastOffset: number;
}

export interface Status {
  readonly partitions: readonly PartitionStatus[];
  /** Null if no rebuild has begun. */
  readonly rebuild: Rebuild | null;
  /** The addresses of internal listeners. */
  readonly instances: Readonly<Record<'apis' | 'projectors' | 'dispatchers', readonly string[]>>;
  readonly topics: { readonly missing: readonly string[]; readonly differing: readonly string[] };
  readonly queues: readonly WebhookQueue[];
  readonly jobs: readonly ScheduledJob[];
  readonly deadLetters: readonly DeadLetterCount[];
  readonly rejected: readonly RejectedEntries[];
  readonly disks: readonly Disk[];
  /** Why the processes refuse the log; null if they accept it. */
  readonly refused: { readonly says: string; readonly remedy: string } | null;
}

/** A scheduled job, with the number of entries and batches that wait for its next runs. */
interface ScheduledJob {
  readonly name: string;
  readonly waiting: number;
  /** Age of the oldest one; 0 if nothing waits. */
  readonly seconds: number;
}

/** Reads lags, queues, processes, rejected entries and disks. Throws Unavailable. */
export async function readStatus(observed: Observed): Promise<Status> {
  return withKafka(observed, (connection) =>
    withConnection(observed.connect, (client) => readAll(observed, connection, client)),
  );
}

async function readAll(
  observed: Observed,
  connection: KafkaConnection,
  client: Client,
): Promise<Status> {
  const groups = await describeServices(observed);
  const { missing, problems } = await lookAtTopics(observed);
  const { rows: rejected } = await client.query<RejectedEntries>(
    `select topic, partition, reason, count(*)::int as entries, max(log_offset)::float8 as "lastOffset"
     from ${liveSchema}.rejected_entries group by 1, 2, 3 order by 1, 2, 3`,
  );
  const partitions = await readPartitionStatus(connection, client, groups);
  const queues = missing.length > 0 ? [] : await measureQueues({ ...observed, connection });
  const entries = partitions.reduce((sum, { end }) => sum + end, 0);
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
    jobs: [toWebhookJob(queues)],
    deadLetters: await countDeadLetters(client),
    rejected,
    disks: await measureDisks(observed.storage),
    refused: await findRefusal(observed),
  };
}

function toWebhookJob(queues: readonly WebhookQueue[]): ScheduledJob {
  return {
    name: webhookJobName,
    waiting: queues.reduce((sum, { waiting }) => sum + waiting, 0),
    seconds: Math.max(0, ...queues.map(({ seconds }) => seconds)),
  };
}

async function findRefusal(observed: Observed): Promise<Status['refused']> {
  const verdict = await judgeInstalledLog(observed);
  if (verdict.kind !== 'refused') return null;
  const { says, remedy } = verdict;
  return { says, remedy };
}

async function readPartitionStatus(
  connection: KafkaConnection,
  client: Client,
  { api, projector }: Awaited<ReturnType<typeof describeServices>>,
): Promise<readonly PartitionStatus[]> {
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
