import type { FoundBroker } from '../../../shared/kafka/describe-cluster.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { warning } = findingsAbout('Kafka');

const LEAST_RETENTION_MINUTES = 90 * 24 * 60;

const unwiseSettings = [
  {
    code: 'kafka.createsTopics',
    name: 'auto.create.topics.enable',
    isUnwise: (value: string | undefined) => value === 'true',
    says: 'Kafka creates topics automatically, with settings that lose data',
    wanted: 'false',
  },
  {
    code: 'kafka.uncleanElection',
    name: 'unclean.leader.election.enable',
    isUnwise: (value: string | undefined) => value === 'true',
    says: 'Kafka elects replicas that lack entries as leaders, unless the topic overrides the setting',
    wanted: 'false',
  },
  {
    code: 'kafka.offsetRetention',
    name: 'offsets.retention.minutes',
    isUnwise: (value: string | undefined) => Number(value) < LEAST_RETENTION_MINUTES,
    says: 'Kafka deletes committed offsets too early: if Annals is stopped for longer, it sends webhooks every past event again',
    wanted: '5256000',
  },
] as const;

/** Warns about broker settings that can cause a loss of data or of its order. */
export function checkBrokerSettings(brokers: readonly FoundBroker[]): readonly Finding[] {
  if (brokers.every(({ settings }) => settings.size === 0)) {
    const remedy = 'check them by hand, or allow its user DescribeConfigs on the cluster';
    const says = 'Kafka does not show this client its settings.';
    return [warning({ code: 'kafka.settingsHidden', says, remedy })];
  }
  return unwiseSettings.flatMap(({ code, name, isUnwise, says, wanted }) => {
    const found = brokers.filter(({ settings }) => isUnwise(settings.get(name)));
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => id).join(', ');
    return [
      warning({
        code,
        says: `${says} (broker ${ids}).`,
        remedy: `set ${name}=${wanted} in its configuration`,
        parameters: { brokers: ids, name, wanted },
      }),
    ];
  });
}
