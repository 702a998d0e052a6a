import { Unavailable } from '../../../shared/domain/errors.ts';
import type { ObservedLog } from '../../../shared/installation/observed.ts';
import { withKafka } from '../../../shared/kafka/connection.ts';
import {
  describeBrokers,
  readBrokerClock,
  readKafkaAge,
} from '../../../shared/kafka/describe-cluster.ts';
import { describeTopics, type FoundTopics } from '../../../shared/kafka/describe-topics.ts';
import { checkBrokerSettings } from './check-broker-settings.ts';
import { checkClock } from './check-clock.ts';
import { asCause, type Finding, findingsAbout } from './finding.ts';

const { ok, warning, fault } = findingsAbout('Kafka');

const internalTopics = ['__consumer_offsets', '__transaction_state'];

/** Checks which of the configured brokers respond and accept this client. The other checks need at least one. */
export async function checkBrokers(installation: ObservedLog): Promise<readonly Finding[]> {
  const { kafka } = installation;
  const probes = kafka.brokers.map((broker) => probeBroker(broker, installation));
  const failures = (await Promise.all(probes)).filter((failure) => failure !== undefined);
  if (failures.length === 0) {
    const brokers = kafka.brokers.join(', ');
    const says = `Kafka responds at ${brokers}${describeSecurity(kafka)}.`;
    return [ok({ code: 'kafka.responds', says, parameters: { brokers } })];
  }
  const finding =
    failures.length === kafka.brokers.length
      ? (problem: Parameters<typeof fault>[0]) => asCause(fault(problem))
      : warning;
  return [...Map.groupBy(failures, ({ remedy }) => remedy)].map(([remedy, some]) => {
    const places = some.map(({ broker, reason }) => `${broker} (${reason})`).join(', ');
    return remedy === undefined
      ? finding({
          code: 'kafka.silent',
          says: `Kafka does not respond at ${places}.`,
          remedy:
            'start it, open the network to it, or correct KAFKA_BROKERS; a listener with TLS or SASL needs KAFKA_TLS or KAFKA_SASL_MECHANISM',
          parameters: { places },
        })
      : finding({
          code: 'kafka.rejects',
          says: `Kafka rejects this client at ${places}.`,
          remedy,
          parameters: { places },
        });
  });
}

async function probeBroker(broker: string, { kafka, log }: ObservedLog) {
  try {
    await withKafka({ kafka: { ...kafka, brokers: [broker] }, log }, ({ open }) => open());
    return undefined;
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return { broker, reason: error.message.replace(/^Kafka: /, ''), remedy: error.remedy };
  }
}

function describeSecurity({ security }: ObservedLog['kafka']): string {
  const tls = security?.tls === undefined ? '' : ', over TLS';
  const account = security?.account;
  return account === undefined ? tls : `${tls}, as ${account.userName} with ${account.mechanism}`;
}

/** Checks the version, the replicas, the settings and the clock of the cluster. */
export async function checkCluster(installation: ObservedLog): Promise<readonly Finding[]> {
  const { kafka, topics, log } = installation;
  const brokers = await describeBrokers(kafka, log);
  const found = await describeTopics(kafka, [...internalTopics, topics.records], log);
  return [
    await checkAge(installation),
    checkReplicas(found),
    ...checkBrokerSettings(brokers),
    ...checkInternalTopics(found),
    await checkBrokerClock(installation),
  ];
}

async function checkAge(installation: ObservedLog): Promise<Finding> {
  const groupId = `${installation.topicPrefix}.doctor`;
  switch (await withKafka(installation, (connection) => readKafkaAge(connection, groupId))) {
    case 'tested':
      return ok({ code: 'kafka.tested', says: 'Kafka is release 3.9 or newer.' });
    case 'untested':
      return warning({
        code: 'kafka.untested',
        says: 'Kafka is older than release 3.9.',
        remedy: 'upgrade it: Annals is not tested with it',
      });
    case 'too old':
      return fault({
        code: 'kafka.tooOld',
        says: 'Kafka is older than release 2.3.',
        remedy: 'upgrade it: processes cannot share their work',
      });
  }
}

function checkReplicas({ brokers, away }: FoundTopics): Finding {
  if (away.length > 0) {
    const present = brokers - away.length;
    const absent = away.join(', ');
    return warning({
      code: 'kafka.brokersAway',
      says: `Kafka has ${present} of ${brokers} brokers in service, without number ${absent}.`,
      remedy: 'bring it back before another one fails',
      parameters: { present, brokers, absent },
    });
  }
  if (brokers >= 3) {
    return ok({
      code: 'kafka.brokers',
      says: `Kafka has ${brokers} brokers.`,
      parameters: { brokers },
    });
  }
  return brokers === 1
    ? warning({
        code: 'kafka.oneBroker',
        says: 'Kafka runs on only one broker, whose disk has the only copy of the log.',
        remedy: 'run three brokers, or back up the log',
      })
    : warning({
        code: 'kafka.twoBrokers',
        says: 'Kafka runs on only two brokers: the loss of one stops writes or leaves one copy of the log.',
        remedy: 'run three brokers',
      });
}

/**
 * Kafka's internal topics store the positions of the webhook queue. Without them, all past events would be sent again.
 */
function checkInternalTopics({ topics, brokers }: FoundTopics): readonly Finding[] {
  const wanted = Math.min(brokers, 3);
  const internal = topics.filter(({ topic }) => internalTopics.includes(topic));
  return internal.flatMap(({ topic, partitions }) => {
    const fewest = Math.min(...partitions.map(({ replicas }) => replicas));
    if (fewest >= wanted) return [];
    return [
      fault({
        code: 'kafka.fewReplicas',
        says: `Kafka keeps ${fewest} of ${wanted} replicas of ${topic}: if a broker is lost, so are positions of webhooks, and every past event is sent again.`,
        remedy:
          'add replicas with kafka-reassign-partitions.sh; set offsets.topic.replication.factor=3 and transaction.state.log.replication.factor=3 before the next installation',
        parameters: { fewest, wanted, topic },
      }),
    ];
  });
}

async function checkBrokerClock(installation: ObservedLog): Promise<Finding> {
  const { topicPrefix, topics } = installation;
  const request = { groupId: `${topicPrefix}.doctor`, topic: topics.directory };
  try {
    const { broker, before, after } = await withKafka(installation, (connection) =>
      readBrokerClock(connection, request),
    );
    return checkClock('Kafka', { there: broker, before, after });
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    return warning({
      code: 'clock.unknown',
      says: `Kafka did not return its time (${error.message}).`,
      remedy: 'compare the clocks by hand',
      parameters: { reason: error.message },
    });
  }
}
