import { describe, expect, it } from 'vitest';
import { buildAsyncApi } from '../../services/query/openapi/asyncapi-document.ts';
import type { FoundTopic } from '../../shared/kafka/describe-topics.ts';
import { findTopicProblems } from '../../shared/kafka/find-topic-problems.ts';
import { topicNames, type WantedTopic, wantedTopics } from '../../shared/kafka/topics.ts';
import { findAll, readProjectFile } from './source-files.ts';

const document = readProjectFile('docs/reference/topics.md');
const names = topicNames('annals');
const recordPartitions = 7;
const wantedOn = (brokers: number) => wantedTopics(names, { recordPartitions }, brokers);
const wanted = wantedOn(3);
const allNames = wanted.map(({ topic }) => topic);
const inCode = /`(annals\.[a-z0-9-]+)`/g;

function sectionOf(heading: string): string {
  const [, after = ''] = document.split(`\n## ${heading}\n`);
  return after.split('\n## ', 1)[0] ?? '';
}

const rowsOf = (text: string): readonly (readonly string[])[] =>
  [...text.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) => row.split(' | '));

const settingOf = ({ configEntries }: WantedTopic, name: string): string | undefined =>
  configEntries.find((entry) => entry.name === name)?.value;

function retentionOf(topic: WantedTopic): string {
  if (settingOf(topic, 'cleanup.policy') === 'compact') return 'the last entry per key';
  return settingOf(topic, 'segment.bytes') === undefined ? 'everything' : 'until processed';
}

/** Returns the names of the Avro schemas of each topic from the AsyncAPI document. */
function describedSchemas(): ReadonlyMap<string, readonly string[]> {
  const { channels, components } = buildAsyncApi(names) as unknown as AsyncApi;
  const isChannel = ({ address }: Channel) => address !== null && allNames.includes(address);
  return new Map(
    Object.values(channels)
      .filter(isChannel)
      .map(({ address, messages }) => [
        String(address),
        Object.keys(messages).flatMap(
          (message) => components.messages[message]?.payload?.schema?.name ?? [],
        ),
      ]),
  );
}

interface Channel {
  readonly address: string | null;
  readonly messages: Readonly<Record<string, unknown>>;
}

interface AsyncApi {
  readonly channels: Readonly<Record<string, Channel>>;
  readonly components: {
    readonly messages: Readonly<
      Record<string, { readonly payload?: { readonly schema?: { readonly name: string } } }>
    >;
  };
}

describe('the topics in docs/reference/topics.md', () => {
  const [list = ''] = document.split('\n## ', 1);
  const rows = rowsOf(list);

  it('match the topics that Annals creates, with partitions, retention and schemas', () => {
    const schemas = describedSchemas();
    expect(
      rows.map(([topic = '', partitions, retention, , entries = '']) => [
        topic.replaceAll('`', ''),
        partitions,
        retention,
        [...entries.matchAll(/`(\w+)`/g)].map(([, name]) => name).toSorted(),
      ]),
    ).toEqual(
      wanted.map((topic) => [
        topic.topic,
        topic.numPartitions === recordPartitions ? 'of records' : String(topic.numPartitions),
        retentionOf(topic),
        schemas.get(topic.topic)?.toSorted(),
      ]),
    );
  });

  it.each(['Personal data and secrets', 'Shortening the time that entries are kept'])(
    'are all listed in “%s”',
    (heading) => {
      const firstCells = rowsOf(sectionOf(heading)).map(([cell = '']) => cell);
      expect(findAll(firstCells, inCode)).toEqual(allNames.toSorted());
    },
  );

  it('that keep deleted personal data are named in SECURITY.md', () => {
    const row = readProjectFile('SECURITY.md')
      .split('\n')
      .find((line) => line.startsWith('| deleted data |'));
    const about = rowsOf(sectionOf('Personal data and secrets'));
    const holding = about.filter(([, personal]) => personal !== 'none').map(([cell = '']) => cell);
    expect(findAll([row ?? ''], inCode)).toEqual(findAll(holding, inCode));
  });
});

/** Values that differ from all expected ones. */
const otherValues: Readonly<Record<string, string>> = {
  'cleanup.policy': 'compact,delete',
  'retention.ms': '604800000',
  'retention.bytes': '1',
  'unclean.leader.election.enable': 'true',
  'max.message.bytes': '1000',
  'min.insync.replicas': '1',
  'flush.messages': '5',
  'segment.bytes': '5',
};

/** Returns an existing topic with the expected settings, except for one. */
function asFound(topic: WantedTopic, name: string, value: string): FoundTopic {
  const { numPartitions, replicationFactor, configEntries } = topic;
  return {
    topic: topic.topic,
    settings: new Map([
      ...configEntries.map((one) => [one.name, one.value] as const),
      [name, value],
    ]),
    partitions: Array.from({ length: numPartitions }, (_, partition) => ({
      partition,
      hasLeader: true,
      replicas: replicationFactor,
      inSync: replicationFactor,
    })),
  };
}

/** Returns whether a wrong value is dangerous, for each topic with the setting, on one broker and on three. */
function verdictsOn(name: string): readonly boolean[] {
  return [...wantedOn(1), ...wanted].flatMap((topic) => {
    const value = otherValues[name];
    const applies = settingOf(topic, name) !== undefined && value !== undefined;
    if (!applies || value === settingOf(topic, name)) return [];
    // Kafka ignores retention for compacted topics.
    const isIgnored =
      name.startsWith('retention') && retentionOf(topic) === 'the last entry per key';
    const problems = findTopicProblems([topic], [asFound(topic, name, value)]);
    expect(problems).toHaveLength(isIgnored ? 0 : 1);
    return problems.map(({ isDangerous }) => isDangerous);
  });
}

describe('the settings in docs/reference/topics.md', () => {
  const settings = rowsOf(sectionOf('Settings')).map(([name = '', value = '', verdict = '']) => ({
    name: name.replaceAll('`', ''),
    values: [...value.matchAll(/`([\w-]+)`/g)].map(([, one = '']) => one).toSorted(),
    isDangerous: verdict.startsWith('dangerous'),
  }));

  it('match the settings and values that Annals sets', () => {
    const entries = [...wantedOn(1), ...wanted].flatMap(({ configEntries }) => configEntries);
    const made = Map.groupBy(entries, ({ name }) => name);
    expect(new Map(settings.map(({ name, values }) => [name, values]))).toEqual(
      new Map(
        [...made].map(([name, ones]) => [
          name,
          [...new Set(ones.map(({ value }) => value))].toSorted(),
        ]),
      ),
    );
  });

  it.each(settings)('$name is validated as documented', ({ name, isDangerous }) => {
    const verdicts = verdictsOn(name);
    expect(verdicts.length).toBeGreaterThan(0);
    expect(new Set(verdicts)).toEqual(new Set([isDangerous]));
  });
});
