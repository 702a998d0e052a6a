import { expect, it } from 'vitest';
import type { FoundTopic } from './describe-topics.ts';
import { findTopicProblems } from './find-topic-problems.ts';
import { topicNames, wantedTopics } from './topics.ts';

const names = topicNames('annals');
const MEGABYTES_8 = String(8 * 1024 * 1024);

/** Topics as Annals creates them on this number of brokers, except for one topic. */
function findProblems(
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
  return findTopicProblems(wanted, changed);
}

const partition = { partition: 0, hasLeader: true, replicas: 3, inSync: 3 };

it('finds no problems in topics that Annals created', () => {
  expect(findProblems(1, 'none')).toEqual([]);
  expect(findProblems(3, 'none')).toEqual([]);
});

it.each([
  [{ 'cleanup.policy': 'compact' }, 'cleanup.policy', 'delete'],
  [{ 'cleanup.policy': 'compact,delete' }, 'cleanup.policy', 'delete'],
  [{ 'retention.ms': '604800000' }, 'retention.ms', '-1'],
  [{ 'retention.bytes': '1' }, 'retention.bytes', '-1'],
  [{ 'unclean.leader.election.enable': 'true' }, 'unclean.leader.election.enable', 'false'],
  [{ 'max.message.bytes': '1048588' }, 'max.message.bytes', MEGABYTES_8],
  [{ 'min.insync.replicas': '4' }, 'min.insync.replicas', '2'],
])(
  'reports %j of the records topic as dangerous and fixable by a setting',
  (settings, name, value) => {
    expect(findProblems(3, names.records, { settings })).toMatchObject([
      { topic: names.records, isDangerous: true, setting: { name, value } },
    ]);
  },
);

it.each([
  [3, { 'min.insync.replicas': '1' }],
  [1, { 'flush.messages': '9223372036854775807' }],
])('treats a difference on %i brokers as harmless: %j', (brokers, settings) => {
  expect(findProblems(brokers, names.records, { settings })).toMatchObject([
    { isDangerous: false },
  ]);
});

it.each([{ 'min.insync.replicas': '3' }, { 'max.message.bytes': '20000000' }])(
  'accepts %j',
  (settings) => {
    expect(findProblems(3, names.records, { settings })).toEqual([]);
  },
);

it('requires compaction of compacted topics and ignores their retention', () => {
  const { webhookSequences } = names;
  expect(findProblems(3, webhookSequences, { settings: { 'retention.ms': '1' } })).toEqual([]);
  expect(
    findProblems(3, webhookSequences, { settings: { 'cleanup.policy': 'delete' } }),
  ).toMatchObject([{ isDangerous: true }]);
});

it('reports whether the remaining replicas accept writes', () => {
  const saysOf = (...inSync: readonly number[]) =>
    findProblems(3, names.records, {
      partitions: inSync.map((count, index) => ({
        ...partition,
        partition: index,
        inSync: count,
      })),
    }).map(({ isDangerous, says }) => [isDangerous, says]);
  expect(saysOf(2, 3)).toEqual([[false, 'lacks in-sync replicas of partition 0']]);
  expect(saysOf(1, 2)).toEqual([
    [
      true,
      'lacks in-sync replicas of partition 0: fewer than min.insync.replicas=2, so writes fail',
    ],
    [false, 'lacks in-sync replicas of partition 1'],
  ]);
});

it('reports missing topics, leaders and replicas as well as excess partitions', () => {
  const wanted = wantedTopics(names, { recordPartitions: 2 }, 1);
  expect(findTopicProblems(wanted, [])).toHaveLength(wanted.length);
  const bare = { ...partition, hasLeader: false, inSync: 0 };
  expect(findProblems(3, names.records, { partitions: [bare] }).map(({ says }) => says)).toEqual([
    'has no leader for partition 0',
    'lacks in-sync replicas of partition 0',
  ]);
  const single = { ...partition, replicas: 1, inSync: 1 };
  expect(findProblems(3, names.directory, { partitions: [single, single] })).toMatchObject([
    { isDangerous: true, says: 'has 2 partitions but must have exactly one' },
    { isDangerous: true, says: expect.stringContaining('writes fail with 1 replicas') },
    { isDangerous: false, says: 'has 1 of 3 replicas' },
  ]);
});
