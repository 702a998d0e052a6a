import type { FoundBroker } from '../../../shared/kafka/describe-cluster.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { warning } = findingsAbout('Kafka');

const LEAST_RETENTION_MINUTES = 90 * 24 * 60;

const unwiseSettings = [
  {
    name: 'auto.create.topics.enable',
    isUnwise: (value: string | undefined) => value === 'true',
    says: 'makes topics by itself, with settings that lose data',
    wanted: 'false',
  },
  {
    name: 'unclean.leader.election.enable',
    isUnwise: (value: string | undefined) => value === 'true',
    says: 'lets a replica lead that lacks entries, in topics that do not say otherwise',
    wanted: 'false',
  },
  {
    name: 'offsets.retention.minutes',
    isUnwise: (value: string | undefined) => Number(value) < LEAST_RETENTION_MINUTES,
    says: 'forgets positions soon: stopped for longer, Annals sends webhooks every past event again',
    wanted: '5256000',
  },
];

/** What is set so that it can cost data, or its order. */
export function judgeBrokerSettings(
  brokers: readonly Pick<FoundBroker, 'id' | 'settings'>[],
): readonly Finding[] {
  if (brokers.every(({ settings }) => settings.size === 0)) {
    const remedy = 'look at them by hand, or allow its user DescribeConfigs on the cluster';
    return [warning('does not show this client its settings', remedy)];
  }
  return unwiseSettings.flatMap(({ name, isUnwise, says, wanted }) => {
    const found = brokers.filter(({ settings }) => isUnwise(settings.get(name)));
    if (found.length === 0) return [];
    const ids = found.map(({ id }) => id).join(', ');
    return [warning(`${says} (broker ${ids})`, `${name}=${wanted} in its configuration`)];
  });
}
