import type { Observed } from '../../../shared/installation/observed.ts';
import type { TopicProblem } from '../../../shared/kafka/find-topic-problems.ts';
import { lookAtTopics } from '../installation/compare-topics.ts';
import { asCause, type Finding, findingsAbout } from './finding.ts';
import { nameSome } from './name-some.ts';

const { ok, warning, fault } = findingsAbout('topics');

export async function checkTopicSettings(
  installation: Pick<Observed, 'kafka' | 'topics' | 'recordPartitions' | 'log'>,
): Promise<readonly Finding[]> {
  const { problems, topics, missing } = await lookAtTopics(installation);
  if (topics.length === 0) {
    return [
      asCause(
        fault(
          `none of ${missing.join(', ')} exists`,
          'correct ANNALS_TOPIC_PREFIX; for a new installation run annals topics create',
        ),
      ),
    ];
  }
  const findings = [...Map.groupBy(problems, withoutNumbers).values()].map((alike) =>
    toFinding(alike, missing),
  );
  return findings.length > 0 ? findings : [ok(`all ${topics.length} have the right settings`)];
}

/** A missing broker affects all topics in the same way: one finding covers all of them. */
function toFinding(alike: readonly TopicProblem[], missing: readonly string[]): Finding {
  const [first, ...others] = alike;
  if (first === undefined) throw new Error('a group without a problem');
  const names = alike.map(({ topic }) => topic);
  const says =
    others.length === 0
      ? `${first.topic} ${first.says}`
      : `each of ${nameSome(names)} ${withoutNumbers(first)}`;
  const remedy = missing.includes(first.topic) ? missingRemedy : remedyOf(first);
  return first.isDangerous ? fault(says, remedy) : warning(says, remedy);
}

/** The problem without the numbers of its partitions. */
const withoutNumbers = ({ says }: TopicProblem): string =>
  says.replace(/ (?:of|for) partition \d+(?:, \d+)*/, '');

const missingRemedy =
  'run annals topics create; if the topic existed before, restore the log from a backup first';

function remedyOf({ setting }: { readonly setting?: unknown }): string {
  return setting === undefined
    ? 'bring the brokers back; add replicas with kafka-reassign-partitions.sh'
    : 'run annals topics repair, then annals verify';
}
