import type { Client } from 'pg';
import { loadPositions } from '../../../shared/db/positions.ts';
import { liveSchema } from '../../../shared/db/read-model-names.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import { describeGroups, type FoundGroup } from '../../../shared/kafka/group/describe-group.ts';
import { measureLag } from '../../../shared/kafka/measure-lag.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { countDeadLetters, type DeadLetterCount } from '../status/count-dead-letters.ts';
import { type Disk, describeDisk, measureDisks } from '../status/measure-disks.ts';
import { measureQueues, type WebhookQueue } from '../status/measure-queues.ts';
import { toTable } from '../to-table.ts';
import { lookAtTopics } from '../topics/look-at-topics.ts';

interface PartitionStatus {
  readonly topic: string;
  readonly partition: number;
  readonly end: number;
  readonly projected: number;
  /** Entries that Postgres does not have yet. */
  readonly behind: number;
  /** Age of the oldest of them. */
  readonly seconds: number;
  /** Who decides about changes; null while nobody is named. */
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

interface Status {
  readonly partitions: readonly PartitionStatus[];
  /** Processes, by the addresses of their internal listeners. */
  readonly instances: Readonly<Record<InstanceKind, readonly string[]>>;
  readonly topics: { readonly missing: readonly string[]; readonly differing: readonly string[] };
  readonly queues: readonly WebhookQueue[];
  readonly deadLetters: readonly DeadLetterCount[];
  readonly rejected: readonly RejectedEntries[];
  readonly disks: readonly Disk[];
}

const groupNames = { apis: 'owners', projectors: 'projectors', dispatchers: 'dispatchers' };
type InstanceKind = keyof typeof groupNames;
type Groups = Readonly<Record<InstanceKind, FoundGroup>>;

/** `annals status`: how far everything is behind the log, who does what, and what went wrong. */
export async function status({ installation, isJson, output }: CommandContext): Promise<number> {
  const { kafka, log, connect } = installation;
  const connection = createKafkaConnection(kafka, log);
  const client = await connect();
  try {
    const found = await readStatus(installation, connection, client);
    if (isJson) output.print(JSON.stringify(found));
    else for (const line of toLines(found)) output.print(line);
    return 0;
  } finally {
    await client.end();
    await connection.close();
  }
}

async function readStatus(
  installation: Installation,
  connection: KafkaConnection,
  client: Client,
): Promise<Status> {
  const groups = await readGroups(installation);
  const { missing, problems } = await lookAtTopics(installation);
  const { rows: rejected } = await client.query<RejectedEntries>(
    `select topic, partition, reason, count(*)::int as entries, max(log_offset)::float8 as "lastOffset"
     from ${liveSchema}.rejected_entries group by 1, 2, 3 order by 1, 2, 3`,
  );
  return {
    partitions: await readPartitionStatus(connection, client, groups),
    instances: {
      apis: groups.apis.members,
      projectors: groups.projectors.members,
      dispatchers: groups.dispatchers.members,
    },
    topics: { missing, differing: [...new Set(problems.map(({ topic }) => topic))] },
    queues: missing.length > 0 ? [] : await measureQueues({ ...installation, connection }),
    deadLetters: await countDeadLetters(client),
    rejected,
    disks: await measureDisks(installation.storage),
  };
}

async function readPartitionStatus(
  connection: KafkaConnection,
  client: Client,
  { apis, projectors }: Groups,
): Promise<readonly PartitionStatus[]> {
  const positions = [...(await loadPositions(client))].sort(
    (one, other) => one.topic.localeCompare(other.topic) || one.partition - other.partition,
  );
  const lags = await measureLag(connection, positions, Date.now());
  return positions.map(({ topic, partition, offset }, index) => {
    const { entries = 0, seconds = 0 } = lags[index] ?? {};
    const projected = Number(offset);
    const resource = `${topic}/${partition}`;
    return {
      topic,
      partition,
      end: projected + entries,
      projected,
      behind: entries,
      seconds,
      owner: apis.addresses.get(resource) ?? null,
      projector: projectors.addresses.get(resource) ?? null,
    };
  });
}

async function readGroups({ kafka, topicPrefix, log }: Installation): Promise<Groups> {
  const toId = (name: string): string => `${topicPrefix}.${name}`;
  const groups = await describeGroups(kafka, Object.values(groupNames).map(toId), log);
  const find = (kind: InstanceKind): FoundGroup =>
    groups.get(toId(groupNames[kind])) ?? { members: [], addresses: new Map() };
  return { apis: find('apis'), projectors: find('projectors'), dispatchers: find('dispatchers') };
}

function toLines(found: Status): readonly string[] {
  const { partitions, instances, topics, queues, deadLetters, rejected, disks } = found;
  const head = ['partition', 'end', 'projected', 'behind', 'seconds', 'owner', 'projector'];
  const rows = partitions.map((one) => [
    `${one.topic}/${one.partition}`,
    one.end,
    one.projected,
    one.behind,
    Math.ceil(one.seconds),
    one.owner ?? 'nobody',
    one.projector ?? 'nobody',
  ]);
  const stages = queues.map(({ stage, waiting, seconds }) => [stage, waiting, Math.ceil(seconds)]);
  return [
    ...toTable([head, ...rows]),
    '',
    ...toTable([['webhooks', 'waiting', 'seconds'], ...stages]),
    '',
    `Processes: ${toCounts(instances)}.`,
    toTopicLine(topics),
    ...disks.map((disk) => `The disk of ${disk.path} ${describeDisk(disk)}.`),
    ...toDeadLetterLines(deadLetters),
    rejected.length === 0
      ? 'No entry of the log was rejected.'
      : 'Entries that no table took (annals rejected list):',
    ...rejected.map(
      ({ topic, partition, reason, entries, lastOffset }) =>
        `  ${topic}/${partition}: ${entries} × ${reason}, last at offset ${lastOffset}`,
    ),
  ];
}

function toCounts(instances: Status['instances']): string {
  return Object.entries(instances)
    .map(([kind, members]) => `${members.length} ${kind}`)
    .join(', ');
}

function toTopicLine({ missing, differing }: Status['topics']): string {
  if (missing.length > 0) return `Missing topics: ${missing.join(', ')}.`;
  if (differing.length === 0) return 'All topics are as they should be.';
  return `Topics that differ (annals topics check): ${differing.join(', ')}.`;
}

/** For WEBHOOK_ATTEMPT_RETENTION. */
const asFarAsKept = 'among the attempts that Postgres keeps';

function toDeadLetterLines(counts: readonly DeadLetterCount[]): readonly string[] {
  if (counts.length === 0) return [`No webhook has dead letters ${asFarAsKept}.`];
  const lines = counts.map(({ webhookId, batches }) => `  ${webhookId}: ${batches} batches`);
  return [
    `Dead letters by webhook, ${asFarAsKept} (annals dead-letters list tells all):`,
    ...lines,
  ];
}
