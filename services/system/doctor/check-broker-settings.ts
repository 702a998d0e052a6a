import type { FoundBroker } from '../../../shared/kafka/describe-cluster.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { warning } = findingsAbout('Kafka');

const LEAST_RETENTION_MINUTES = 90 * 24 * 60;

const unwiseSettings = [
  {
    name: 'auto.create.topics.enable',
    isUnwise: (value: string | undefined) => value === 'true',
    says: 'creates topics automatically, with settings that lose data',
    wanted: 'false',
  },
  {
    name: 'unclean.leader.election.enable',
    isUnwise: (value: string | undefined) => value === 'true',
    says: 'elects replicas that lack entries as leaders, unless the topic overrides the setting',
    wanted: 'false',
  },
  {
    name: 'offsets.retention.minutes',
    isUnwise: (value: string | undefined) => Number(value) < LEAST_RETENTION_MINUTES,
    says: 'deletes committed offsets too early: if Annals is stopped for longer, it sends webhooks every past event again',
    wanted: '5256000',
  },
];

/** Warns of broker settings that can lose data or its order. */
export function judgeBrokerSettings(
  brokers: readonly Pick<FoundBroker, 'id' | 'settings'>[],
): readonly Finding[] {
  if (brokers.every(({ settings }) => settings.size === 0)) {
    const remedy = 'check them by hand, or allow its user DescribeConfigs on the cluster';
    return [warning('does not show this client its settings', remedy)];
  }
  return unwiseSettings.flatMap(({ name, isUnwise, says, wanted }) => {
    const found = brokers.filter(({ settings }) => isUnwise(settings.get(name)));
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => id).join(', ');
    return [warning(`${says} (broker ${ids})`, `set ${name}=${wanted} in its configuration`)];
  });
}
