import { compareTopics } from '../../../services/system/installation/compare-topics.ts';
import { checkInstalledLog } from '../../../services/system/installation/inspect-installed-log.ts';
import { readEnds } from '../../../shared/installation/read-ends.ts';
import { type KafkaConnection, withKafka } from '../../../shared/kafka/connection.ts';
import { changeTopicSettings, type FoundTopic } from '../../../shared/kafka/describe-topics.ts';
import type { TopicProblem } from '../../../shared/kafka/find-topic-problems.ts';
import { startOffset } from '../../../shared/kafka/read-partitions.ts';
import { ensureTopics } from '../../../shared/kafka/topics.ts';
import { OperatorError } from '../../local/operator-error.ts';
import type { CommandContext } from '../command-context.ts';
import type { Installation } from '../installation.ts';
import { requireKafka } from '../require-log.ts';
import { toTable } from '../to-table.ts';

/** `annals topics list`. */
export async function listTopics({ installation, printResult }: CommandContext): Promise<void> {
  await requireKafka(installation);
  const { topics, missing } = await compareTopics(installation);
  const entries = await withKafka(installation, (kafka) => countEntries(kafka, topics));
  const list = topics.map(({ topic, partitions, settings }) => ({
    topic,
    partitions: partitions.length,
    replicas: Math.min(...partitions.map(({ replicas }) => replicas)),
    inSync: Math.min(...partitions.map(({ inSync }) => inSync)),
    entries: entries.get(topic) ?? 0,
    settings: Object.fromEntries(shownSettings.map((name) => [name, settings.get(name) ?? null])),
  }));
  const rows = list.map(({ topic, partitions, replicas, inSync, entries: count, settings }) => [
    topic,
    partitions,
    `${inSync}/${replicas}`,
    count,
    settings['cleanup.policy'] ?? '',
    settings['retention.ms'] ?? '',
    settings['min.insync.replicas'] ?? '',
  ]);
  const head = ['topic', 'partitions', 'in sync', 'entries', 'cleanup', 'retention', 'min in sync'];
  printResult({ topics: list, missing }, [
    ...toTable([head, ...rows]),
    ...missing.map((topic) => `${topic} is missing.`),
  ]);
}

/**
 * Returns the number of offsets that Kafka keeps for each topic, including transaction markers and the gaps that
 * compaction leaves.
 */
async function countEntries(
  kafka: KafkaConnection,
  topics: readonly FoundTopic[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const { topic } of topics) {
    let entries = 0n;
    for (const { partition, offset: end } of await readEnds(kafka, topic))
      entries += end - (await startOffset(kafka, topic, partition));
    counts.set(topic, Number(entries));
  }
  return counts;
}

/** `annals topics create`. Does not create lost topics again; `annals topics accept` does. */
export async function createTopics(
  { installation, printResult }: CommandContext,
  options: { readonly recordPartitions?: number },
): Promise<void> {
  await requireKafka(installation);
  const { kafka, topics, log } = installation;
  const recordPartitions = options.recordPartitions ?? installation.recordPartitions;
  if (options.recordPartitions !== undefined)
    await refuseOtherNumber(installation, recordPartitions);
  const verdict = await checkInstalledLog(installation);
  if (verdict.kind === 'refused') throw new OperatorError(`${verdict.says}: ${verdict.remedy}.`);
  const created = await ensureTopics(kafka, topics, { recordPartitions }, log);
  printResult(
    { created },
    created.length === 0 ? ['All topics exist.'] : created.map((topic) => `Created ${topic}.`),
  );
}

/** Rejects a change to the number of partitions, because the partition of a record depends on it. */
async function refuseOtherNumber(installation: Installation, wanted: number): Promise<void> {
  const { topics } = await compareTopics(installation);
  const records = topics.find(({ topic }) => topic === installation.topics.records);
  const found = records?.partitions.length ?? wanted;
  if (found === wanted) return;
  throw new OperatorError(
    `${installation.topics.records} has ${found} partitions, and this cannot be changed. Nothing was created.`,
  );
}

/** `annals topics check`: the exit code is 1 if a topic differs from what Annals would create. */
export async function checkTopics({ installation, printResult }: CommandContext): Promise<number> {
  await requireKafka(installation);
  const { problems: found } = await compareTopics(installation);
  const verdict = await checkInstalledLog(installation);
  const problems =
    verdict.kind === 'refused'
      ? [
          {
            topic: 'The log',
            isDangerous: true,
            says: `is rejected: ${verdict.says}: ${verdict.remedy}`,
          },
          ...found,
        ]
      : found;
  printResult({ problems }, problems.length === 0 ? [allCorrect] : problems.map(toLine));
  return problems.length === 0 ? 0 : 1;
}

/**
 * `annals topics repair`: changes only the settings of topics. Does not restore data that was deleted in the meantime.
 */
export async function repairTopics(context: CommandContext): Promise<number> {
  const { installation, printResult, confirm } = context;
  await requireKafka(installation);
  const { problems } = await compareTopics(installation);
  const repairable = problems.flatMap(({ topic, setting }) =>
    setting === undefined ? [] : [{ topic, ...setting }],
  );
  const left = problems.filter(({ setting }) => setting === undefined);
  if (repairable.length > 0) {
    const named = repairable.map(({ topic, name, value }) => `${topic}: ${name}=${value}`);
    await confirm(`Set ${named.join(', ')}?`);
    const byTopic = Map.groupBy(repairable, ({ topic }) => topic);
    const changes = [...byTopic].map(
      ([topic, list]) => [topic, new Map(list.map(({ name, value }) => [name, value]))] as const,
    );
    await changeTopicSettings(installation.kafka, new Map(changes), installation.log);
  }
  printResult({ set: repairable, left }, [
    ...repairable.map(({ topic, name, value }) => `${topic}: set ${name}=${value}.`),
    ...left.map(toLine),
    ...(problems.length === 0 ? [allCorrect] : []),
  ]);
  return left.length === 0 ? 0 : 1;
}

const allCorrect = 'All topics are correct.';

const shownSettings = [
  'cleanup.policy',
  'retention.ms',
  'retention.bytes',
  'min.insync.replicas',
  'unclean.leader.election.enable',
  'max.message.bytes',
  'flush.messages',
];

function toLine({ topic, isDangerous, says }: TopicProblem): string {
  return `${topic} ${says}${isDangerous ? ' (dangerous)' : ''}`;
}
