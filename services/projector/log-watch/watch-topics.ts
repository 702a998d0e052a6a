/**
 * Watches the settings and first offsets of topics, even while the process rejects the log, because Kafka eventually
 * deletes entries for good if the retention or the cleanup policy is wrong.
 */
import { Unavailable } from '../../../shared/domain/errors.ts';
import { readStarts } from '../../../shared/installation/find-log-damage.ts';
import { readLog } from '../../../shared/installation/inspect-log.ts';
import { readMarks } from '../../../shared/installation/mark-topic.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import { changeTopicSettings, describeTopics } from '../../../shared/kafka/describe-topics.ts';
import { findTopicProblems, type TopicProblem } from '../../../shared/kafka/find-topic-problems.ts';
import { wantedTopics } from '../../../shared/kafka/topics.ts';
import type { MetricSample } from '../../../shared/runtime/metrics.ts';
import { runPeriodically } from '../../../shared/runtime/run-periodically.ts';
import type { OpenedContext } from '../context.ts';

interface TopicWatch {
  /** Only the leader repairs settings. Before the first call, every process does. */
  assign(isLeader: boolean): void;
  close(): Promise<void>;
}

const LOOK_EVERY_MS = 60_000;

export function watchTopics(context: OpenedContext): TopicWatch {
  const { kafka, log, metrics } = context;
  const connection = createKafkaConnection(kafka, log);
  let mayRepair = true;
  let wrong: readonly TopicProblem[] | undefined;
  let starts: readonly MetricSample[] = [];

  async function look(): Promise<void> {
    const problems = await findWrongSettings(context);
    wrong = problems;
    starts = await readFirstOffsets(connection, context);
    if (problems.length === 0 || !mayRepair || !(await isOwnLog(connection, context))) return;
    await repair(context, problems);
    wrong = await findWrongSettings(context);
  }

  metrics.read('annals_topic_settings_wrong', () => (wrong === undefined ? [] : wrong.length));
  metrics.read('annals_log_first_offset', () => starts);
  const first = look().catch((err: unknown) => log.info({ err }, 'cannot check topics; retrying'));
  const watching = runPeriodically(look, { log, what: 'topics', everyMs: LOOK_EVERY_MS });
  return {
    assign(isLeader) {
      mayRepair = isLeader;
    },
    async close() {
      await connection.close();
      await Promise.all([first, watching.close()]);
    },
  };
}

/** Finds topic settings under which entries would be lost or writes would fail. */
async function findWrongSettings({
  config: { topics, recordPartitions },
  kafka,
  log,
}: OpenedContext): Promise<readonly TopicProblem[]> {
  const names = wantedTopics(topics, { recordPartitions }, 1).map(({ topic }) => topic);
  const found = await describeTopics(kafka, names, log);
  const wanted = wantedTopics(topics, { recordPartitions }, found.brokers);
  return findTopicProblems(wanted, found.topics).filter(
    ({ isDangerous, setting }) => isDangerous && setting !== undefined,
  );
}

/** Checks the mark of the log, so that topics of another installation with the same names are never changed. */
async function isOwnLog(
  connection: KafkaConnection,
  { config: { topics } }: OpenedContext,
): Promise<boolean> {
  return (await readMarks(connection, topics.installation)).mark !== undefined;
}

async function repair(
  { kafka, log }: OpenedContext,
  problems: readonly TopicProblem[],
): Promise<void> {
  const changes = new Map<string, Map<string, string>>();
  for (const { topic, setting } of problems) {
    const settings = changes.get(topic) ?? new Map<string, string>();
    if (setting !== undefined) settings.set(setting.name, setting.value);
    changes.set(topic, settings);
  }
  const says = problems.map((problem) => `${problem.topic} ${problem.says}`);
  try {
    await changeTopicSettings(kafka, changes, log);
    log.warn({ problems: says }, 'repaired wrong topic settings');
  } catch (err) {
    if (!(err instanceof Unavailable)) throw err;
    const remedy = err.remedy ?? 'run annals topics repair';
    log.error({ err, problems: says, remedy }, 'topic settings are wrong');
  }
}

/** Reads the first offset of each partition that lacks entries; 0 for complete partitions. */
async function readFirstOffsets(
  connection: KafkaConnection,
  { config: { topics }, kafka }: OpenedContext,
): Promise<readonly MetricSample[]> {
  const log = await readLog(connection, topics);
  const starts = await readStarts(connection, { log, topics, mark: undefined });
  return starts.map(({ topic, partition, start }) => {
    const first = kafka.whole?.firstOffset(topic, partition) ?? 0n;
    return {
      labels: { topic, partition: String(partition) },
      value: start > first ? Number(start) : 0,
    };
  });
}
