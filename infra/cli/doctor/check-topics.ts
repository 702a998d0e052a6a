import type { Installation } from '../installation.ts';
import { lookAtTopics } from '../topics/look-at-topics.ts';
import { type Finding, findingsAbout } from './finding.ts';

const { ok, warning, fault } = findingsAbout('topics');

export async function checkTopicSettings(
  installation: Pick<Installation, 'kafka' | 'topics' | 'recordPartitions' | 'log'>,
): Promise<readonly Finding[]> {
  const { problems, topics, missing } = await lookAtTopics(installation);
  if (topics.length === 0) {
    return [
      fault(
        `none of ${missing.join(', ')} is there`,
        'correct ANNALS_TOPIC_PREFIX; for a new installation annals topics create',
      ),
    ];
  }
  const findings = problems.map((problem) => {
    const says = `${problem.topic} ${problem.says}`;
    const remedy = missing.includes(problem.topic) ? missingRemedy : remedyOf(problem);
    return problem.isDangerous ? fault(says, remedy) : warning(says, remedy);
  });
  return findings.length > 0 ? findings : [ok(`all ${topics.length} are as they should be`)];
}

const missingRemedy =
  'annals topics create; if it was there before, restore the log from a backup first';

function remedyOf({ setting }: { readonly setting?: unknown }): string {
  return setting === undefined
    ? 'bring the brokers back; replicas are added with kafka-reassign-partitions.sh'
    : 'annals topics repair, then annals verify';
}
