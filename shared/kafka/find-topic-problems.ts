import type { FoundTopic } from './describe-topics.ts';
import type { WantedTopic } from './topics.ts';

interface Verdict {
  /** True if data may be lost or writes may fail. Other problems are mere differences from the recommended settings. */
  readonly isDangerous: boolean;
  readonly says: string;
}

export interface TopicProblem extends Verdict {
  readonly topic: string;
  /** The setting to change, if a setting fixes the problem. An operator of Kafka has to fix all other problems. */
  readonly setting?: { readonly name: string; readonly value: string };
}

/** Compares topics with the way Annals would create them. Within a topic, dangerous problems come first. */
export function findTopicProblems(
  wanted: readonly WantedTopic[],
  found: readonly FoundTopic[],
): readonly TopicProblem[] {
  const byName = new Map(found.map((topic) => [topic.topic, topic]));
  return wanted.flatMap((want) => {
    const topic = byName.get(want.topic);
    if (topic === undefined) {
      return [{ topic: want.topic, isDangerous: true, says: 'is missing' }];
    }
    const problems = [...findPartitionProblems(want, topic), ...findSettingProblems(want, topic)];
    return problems.sort((one, other) => Number(other.isDangerous) - Number(one.isDangerous));
  });
}

function findPartitionProblems(want: WantedTopic, found: FoundTopic): readonly TopicProblem[] {
  const { topic, partitions } = found;
  const problems: TopicProblem[] = [];
  const report = (isDangerous: boolean, says: string): void => {
    problems.push({ topic, isDangerous, says });
  };
  const numbers = (list: FoundTopic['partitions']) =>
    list.map(({ partition }) => partition).join(', ');
  const leaderless = partitions.filter(({ hasLeader }) => !hasLeader);
  const least = Number(found.settings.get('min.insync.replicas') ?? 1);
  const stuck = partitions.filter(
    ({ hasLeader, inSync, replicas }) => hasLeader && inSync < Math.min(least, replicas),
  );
  const behind = partitions.filter((it) => it.inSync < it.replicas && !stuck.includes(it));
  const fewest = Math.min(...partitions.map(({ replicas }) => replicas));
  if (leaderless.length > 0) report(true, `has no leader for partition ${numbers(leaderless)}`);
  if (stuck.length > 0) {
    const which = `lacks in-sync replicas of partition ${numbers(stuck)}`;
    report(true, `${which}: fewer than min.insync.replicas=${least}, so writes fail`);
  }
  if (behind.length > 0) report(false, `lacks in-sync replicas of partition ${numbers(behind)}`);
  if (fewest < want.replicationFactor) {
    report(false, `has ${fewest} of ${want.replicationFactor} replicas`);
  }
  // Operators choose the number of partitions for the records topic, but not for these topics.
  if (want.numPartitions === 1 && partitions.length !== 1) {
    report(true, `has ${partitions.length} partitions but must have exactly one`);
  }
  return problems;
}

function findSettingProblems(want: WantedTopic, found: FoundTopic): readonly TopicProblem[] {
  return want.configEntries.flatMap(({ name, value: wanted }) => {
    const is = found.settings.get(name);
    const verdict = is === undefined ? undefined : compareSetting(name, { wanted, is, found });
    if (verdict === undefined) return [];
    const setting = is === wanted ? {} : { setting: { name, value: wanted } };
    return [{ topic: want.topic, ...verdict, ...setting }];
  });
}

interface Difference {
  readonly wanted: string;
  readonly is: string;
  readonly found: FoundTopic;
}

/** Returns undefined if the setting has an acceptable value. */
function compareSetting(name: string, { wanted, is, found }: Difference): Verdict | undefined {
  const says = `has ${name}=${is} instead of ${wanted}`;
  // The required value depends on the wanted number of replicas, not on the current number.
  if (name === 'min.insync.replicas') return compareMinInSync(says, { wanted, is, found });
  if (is === wanted) return undefined;
  switch (name) {
    case 'cleanup.policy':
      return wanted === 'compact'
        ? { isDangerous: is.includes('delete'), says: `${says}: ${describeGrowth(is)}` }
        : { isDangerous: true, says: `${says}: Kafka ${describeCompaction(is)}` };
    case 'retention.ms':
    case 'retention.bytes':
      // Retention settings have no effect unless the cleanup policy deletes entries.
      if (!String(found.settings.get('cleanup.policy')).includes('delete')) return undefined;
      return { isDangerous: true, says: `${says}: Kafka deletes the oldest entries` };
    case 'unclean.leader.election.enable':
      return { isDangerous: true, says: `${says}: a failed leader can lose acknowledged entries` };
    case 'max.message.bytes':
      if (Number(is) > Number(wanted)) return undefined;
      return { isDangerous: true, says: `${says}: large changes cannot be written` };
    case 'segment.bytes':
      return {
        isDangerous: false,
        says: `${says}: Kafka frees the space of processed entries late`,
      };
    default:
      return { isDangerous: false, says: `${says}: a power failure can lose acknowledged entries` };
  }
}

function compareMinInSync(says: string, { wanted, is, found }: Difference): Verdict | undefined {
  const replicas = Math.min(...found.partitions.map((partition) => partition.replicas));
  if (Number(is) > replicas) {
    return {
      isDangerous: true,
      says: `has min.insync.replicas=${is}: writes fail with ${replicas} replicas`,
    };
  }
  if (Number(is) >= Number(wanted)) return undefined;
  return { isDangerous: false, says: `${says}: a single broker can acknowledge a write` };
}

const describeCompaction = (policy: string): string =>
  policy.includes('delete') ? 'drops and deletes entries' : 'drops all but the last entry of a key';

const describeGrowth = (policy: string): string =>
  policy.includes('compact') ? 'Kafka deletes old entries' : 'it grows without limit';
