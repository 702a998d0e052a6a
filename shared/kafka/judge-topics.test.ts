import { expect, it } from 'vitest';
import type { FoundTopic } from './describe-topics.ts';
import { judgeTopics } from './judge-topics.ts';
import { topicNames, wantedTopics } from './topics.ts';

const names = topicNames('annals');
const MEGABYTES_8 = String(8 * 1024 * 1024);

/** As Annals makes them on so many brokers, but for one topic. */
function judge(
  brokers: number,
  topic: string,
  { settings = {}, ...others }: Partial<Omit<FoundTopic, 'settings'>> & { settings?: object } = {},
) {
  const wanted = wantedTopics(names, { recordPartitions: 2 }, brokers);
  const found = wanted.map(
    (want): FoundTopic => ({
      topic: want.topic,
      settings: new Map(want.configEntries.map(({ name, value }) => [name, value])),
      partitions: Array.from({ length: want.numPartitions }, (_, partition) => ({
        partition,
        hasLeader: true,
        replicas: want.replicationFactor,
        inSync: want.replicationFactor,
      })),
    }),
  );
  const changed = found.map((one) =>
    one.topic === topic
      ? { ...one, ...others, settings: new Map([...one.settings, ...Object.entries(settings)]) }
      : one,
  );
  return judgeTopics(wanted, changed);
}

const partition = { partition: 0, hasLeader: true, replicas: 3, inSync: 3 };

it('finds nothing in topics as Annals makes them', () => {
  expect(judge(1, 'none')).toEqual([]);
  expect(judge(3, 'none')).toEqual([]);
});

it.each([
  [{ 'cleanup.policy': 'compact' }, 'cleanup.policy', 'delete'],
  [{ 'cleanup.policy': 'compact,delete' }, 'cleanup.policy', 'delete'],
  [{ 'retention.ms': '604800000' }, 'retention.ms', '-1'],
  [{ 'retention.bytes': '1' }, 'retention.bytes', '-1'],
  [{ 'unclean.leader.election.enable': 'true' }, 'unclean.leader.election.enable', 'false'],
  [{ 'max.message.bytes': '1048588' }, 'max.message.bytes', MEGABYTES_8],
  [{ 'min.insync.replicas': '4' }, 'min.insync.replicas', '2'],
])('%j of the records is dangerous, and can be set back', (settings, name, value) => {
  expect(judge(3, names.records, { settings })).toMatchObject([
    { topic: names.records, isDangerous: true, setting: { name, value } },
  ]);
});

it.each([
  [3, { 'min.insync.replicas': '1' }],
  [1, { 'flush.messages': '9223372036854775807' }],
])('on %i brokers %j differs', (brokers, settings) => {
  expect(judge(brokers, names.records, { settings })).toMatchObject([{ isDangerous: false }]);
});

it.each([{ 'min.insync.replicas': '3' }, { 'max.message.bytes': '20000000' }])(
  '%j does as well',
  (settings) => {
    expect(judge(3, names.records, { settings })).toEqual([]);
  },
);

it('wants compacted topics compacted, where retention means nothing', () => {
  const { webhookSequences } = names;
  expect(judge(3, webhookSequences, { settings: { 'retention.ms': '1' } })).toEqual([]);
  expect(judge(3, webhookSequences, { settings: { 'cleanup.policy': 'delete' } })).toMatchObject([
    { isDangerous: true },
  ]);
});

it('tells whether the replicas that are left take writes', () => {
  const saysOf = (...inSync: readonly number[]) =>
    judge(3, names.records, {
      partitions: inSync.map((count, index) => ({
        ...partition,
        partition: index,
        inSync: count,
      })),
    }).map(({ isDangerous, says }) => [isDangerous, says]);
  expect(saysOf(2, 3)).toEqual([[false, 'lacks replicas in sync of partition 0']]);
  expect(saysOf(1, 2)).toEqual([
    [
      true,
      'lacks replicas in sync of partition 0, has fewer than min.insync.replicas=2: nothing can be written',
    ],
    [false, 'lacks replicas in sync of partition 1'],
  ]);
});

it('tells of missing topics, leaders and replicas, and of partitions too many', () => {
  const wanted = wantedTopics(names, { recordPartitions: 2 }, 1);
  expect(judgeTopics(wanted, [])).toHaveLength(wanted.length);
  const bare = { ...partition, hasLeader: false, inSync: 0 };
  expect(judge(3, names.records, { partitions: [bare] }).map(({ says }) => says)).toEqual([
    'has no leader for partition 0',
    'lacks replicas in sync of partition 0',
  ]);
  const single = { ...partition, replicas: 1, inSync: 1 };
  expect(judge(3, names.directory, { partitions: [single, single] })).toMatchObject([
    { isDangerous: true, says: 'has 2 partitions and may have only one' },
    { isDangerous: true, says: expect.stringContaining('nothing can be written') },
    { isDangerous: false, says: 'has 1 of 3 replicas' },
  ]);
});
