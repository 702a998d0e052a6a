import { Unavailable } from '../../../shared/domain/errors.ts';
import { createKafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  describeBrokers,
  type FoundBroker,
  readKafkaAge,
} from '../../../shared/kafka/describe-cluster.ts';
import { describeTopics, type FoundTopics } from '../../../shared/kafka/describe-topics.ts';
import { readBrokerClock } from '../../../shared/kafka/read-broker-clock.ts';
import { isBrokerInService } from '../../local/kafka/ask-broker.ts';
import type { Installation } from '../installation.ts';
import { type Finding, findingsAbout } from './finding.ts';
import { judgeClock } from './judge-clock.ts';

const { ok, warning, fault } = findingsAbout('Kafka');

type Deps = Pick<Installation, 'kafka' | 'topics' | 'topicPrefix' | 'log'>;

const ANSWER_WITHIN_MS = 3_000;
const LEAST_RETENTION_MINUTES = 90 * 24 * 60;
const internalTopics = ['__consumer_offsets', '__transaction_state'];

/** Which of the named brokers answer. The rest of the checks needs one that does. */
export async function checkBrokers({ kafka }: Pick<Deps, 'kafka'>): Promise<readonly Finding[]> {
  const answers = await Promise.all(
    kafka.brokers.map(async (broker) => ({ broker, isThere: await isThere(broker) })),
  );
  const silent = answers.filter(({ isThere: answered }) => !answered).map(({ broker }) => broker);
  if (silent.length === 0) return [ok(`answers at ${kafka.brokers.join(', ')}`)];
  const says = `does not answer at ${silent.join(', ')}`;
  const remedy = 'start it, open the network to it, or correct KAFKA_BROKERS';
  return [silent.length === kafka.brokers.length ? fault(says, remedy) : warning(says, remedy)];
}

function isThere(broker: string): Promise<boolean> {
  const colon = broker.lastIndexOf(':');
  const host = broker.slice(0, colon).replace(/^\[(.*)\]$/, '$1');
  const port = Number(broker.slice(colon + 1));
  if (!Number.isInteger(port) || port < 1 || port > 65_535) return Promise.resolve(false);
  return isBrokerInService(port, ANSWER_WITHIN_MS, host);
}

/** Its age, its replicas and its clock. */
export async function checkCluster(deps: Deps): Promise<readonly Finding[]> {
  const { kafka, topics, log } = deps;
  const brokers = await describeBrokers(kafka, log);
  const found = await describeTopics(kafka, [...internalTopics, topics.records], log);
  return [
    await checkAge(deps),
    checkReplicas(found),
    ...checkSettings(brokers),
    ...checkInternalTopics(found),
    await checkClock(deps),
  ];
}

async function checkAge({ kafka, topicPrefix, log }: Deps): Promise<Finding> {
  const connection = createKafkaConnection(kafka, log);
  try {
    switch (await readKafkaAge(connection, `${topicPrefix}.doctor`)) {
      case 'tested':
        return ok('is of release 3.9 or newer');
      case 'untested':
        return warning('is older than release 3.9', 'upgrade it: Annals was never tested with it');
      case 'too old':
        return fault('is older than release 2.3', 'upgrade it: processes cannot share their work');
    }
  } finally {
    await connection.close();
  }
}

function checkReplicas({ brokers, away }: FoundTopics): Finding {
  if (away.length > 0) {
    const says = `has ${brokers - away.length} of ${brokers} brokers in service, without number ${away.join(', ')}`;
    return warning(says, 'bring it back before another one goes');
  }
  if (brokers >= 3) return ok(`has ${brokers} brokers`);
  return brokers === 1
    ? warning('is one broker: its disk has the only copy of the log', 'run three, or back it up')
    : warning('is two brokers: to lose one stops writes or leaves one copy', 'run three');
}

interface UnwiseSetting {
  readonly name: string;
  readonly isUnwise: (value: string | undefined) => boolean;
  readonly says: string;
  readonly wanted: string;
}

const unwiseSettings: readonly UnwiseSetting[] = [
  {
    name: 'auto.create.topics.enable',
    isUnwise: (value) => value === 'true',
    says: 'makes topics by itself, with settings that lose data',
    wanted: 'false',
  },
  {
    name: 'unclean.leader.election.enable',
    isUnwise: (value) => value === 'true',
    says: 'lets a replica lead that lacks entries, in topics that do not say otherwise',
    wanted: 'false',
  },
  {
    name: 'offsets.retention.minutes',
    isUnwise: (value) => Number(value) < LEAST_RETENTION_MINUTES,
    says: 'forgets positions soon: stopped for longer, Annals sends webhooks every past event again',
    wanted: '5256000',
  },
];

function checkSettings(brokers: readonly FoundBroker[]): readonly Finding[] {
  return unwiseSettings.flatMap(({ name, isUnwise, says, wanted }) => {
    const found = brokers.filter(({ settings }) => isUnwise(settings.get(name)));
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => id).join(', ');
    return [warning(`${says} (broker ${ids})`, `${name}=${wanted} in its configuration`)];
  });
}

/** Positions of the webhook queue stand there: lost, past events would be sent again. */
function checkInternalTopics({ topics, brokers }: FoundTopics): readonly Finding[] {
  const wanted = Math.min(brokers, 3);
  const internal = topics.filter(({ topic }) => internalTopics.includes(topic));
  return internal.flatMap(({ topic, partitions }) => {
    const fewest = Math.min(...partitions.map(({ replicas }) => replicas));
    if (fewest >= wanted) return [];
    return [
      fault(
        `keeps ${fewest} of ${wanted} replicas of ${topic}: a lost broker takes positions of webhooks with it, and every past event is sent again`,
        'kafka-reassign-partitions.sh; and offsets.topic.replication.factor=3, transaction.state.log.replication.factor=3 before the next installation',
      ),
    ];
  });
}

async function checkClock({ kafka, topics, topicPrefix, log }: Deps): Promise<Finding> {
  const connection = createKafkaConnection(kafka, log);
  try {
    const question = { groupId: `${topicPrefix}.doctor`, topic: topics.directory };
    const { broker, before, after } = await readBrokerClock(connection, question);
    return judgeClock('Kafka', { there: broker, before, after });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return warning(`does not show its clock (${error.message})`, 'compare it by hand');
  } finally {
    await connection.close();
  }
}
