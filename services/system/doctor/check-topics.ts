import type { Observed } from '../../../shared/installation/observed.ts';
import type { TopicProblem } from '../../../shared/kafka/find-topic-problems.ts';
import { compareTopics } from '../installation/compare-topics.ts';
import { asCause, type Finding, findingsAbout, nameSome, toSentence } from './finding.ts';

const { ok, warning, fault } = findingsAbout('topics');

export async function checkTopicSettings(installation: Observed): Promise<readonly Finding[]> {
  const { problems, topics, missing } = await compareTopics(installation);
  if (topics.length === 0) {
    return [
      asCause(
        fault({
          code: 'topics.allMissing',
          says: `None of the topics ${missing.join(', ')} exists.`,
          remedy: 'correct ANNALS_TOPIC_PREFIX; for a new installation run annals topics create',
          parameters: { topics: missing.join(', ') },
        }),
      ),
    ];
  }
  const findings = [...Map.groupBy(problems, withoutNumbers).values()].map((alike) =>
    toFinding(alike, missing),
  );
  if (findings.length > 0) return findings;
  const says = `All ${topics.length} topics have the right settings.`;
  return [ok({ code: 'topics.right', says, parameters: { count: topics.length } })];
}

/** Returns one finding for all topics with the same problem, because a missing broker affects all topics alike. */
function toFinding(alike: readonly TopicProblem[], missing: readonly string[]): Finding {
  const [first, ...others] = alike;
  if (first === undefined) throw new Error('a group without a problem');
  const names = alike.map(({ topic }) => topic);
  const problem =
    others.length === 0
      ? `${first.topic} ${first.says}`
      : `each of ${nameSome(names)} ${withoutNumbers(first)}`;
  const remedy = missing.includes(first.topic) ? missingRemedy : remedyOf(first);
  return (first.isDangerous ? fault : warning)({
    code: 'topics.wrong',
    says: toSentence(
      others.length === 0 ? `The topic ${problem}` : problem.replace('each', 'Each'),
    ),
    remedy,
    parameters: { problem },
  });
}

/** Returns the problem's text without the numbers of its partitions. */
const withoutNumbers = ({ says }: TopicProblem): string =>
  says.replace(/ (?:of|for) partition \d+(?:, \d+)*/, '');

const missingRemedy =
  'run annals topics create; if the topic existed before, restore the log from a backup first';

function remedyOf({ setting }: { readonly setting?: unknown }): string {
  return setting === undefined
    ? 'bring the brokers back; add replicas with kafka-reassign-partitions.sh'
    : 'run annals topics repair, then annals verify';
}
