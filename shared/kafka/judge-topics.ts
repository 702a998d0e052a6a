import type { FoundTopic } from './describe-topics.ts';
import type { WantedTopic } from './topics.ts';

export interface TopicProblem {
  readonly topic: string;
  /** Whether data may be lost or writes fail. Other problems are mere differences from Annals' own settings. */
  readonly isDangerous: boolean;
  readonly says: string;
  /** The setting to change, if that mends the problem. All else needs an operator of Kafka. */
  readonly setting?: { readonly name: string; readonly value: string };
}

type Verdict = Pick<TopicProblem, 'isDangerous' | 'says'>;

/** Compares topics with those that Annals would create. Dangerous problems come first within a topic. */
export function judgeTopics(
  wanted: readonly WantedTopic[],
  found: readonly FoundTopic[],
): readonly TopicProblem[] {
  const byName = new Map(found.map((topic) => [topic.topic, topic]));
  return wanted.flatMap((want) => {
    const topic = byName.get(want.topic);
    if (topic === undefined) {
      return [{ topic: want.topic, isDangerous: true, says: 'is missing' }];
    }
    const problems = [...judgePartitions(want, topic), ...judgeSettings(want, topic)];
    return problems.sort((one, other) => Number(other.isDangerous) - Number(one.isDangerous));
  });
}

function judgePartitions(want: WantedTopic, found: FoundTopic): readonly TopicProblem[] {
  const { topic, partitions } = found;
  const problems: TopicProblem[] = [];
  const tell = (isDangerous: boolean, says: string): void => {
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
  if (leaderless.length > 0) tell(true, `has no leader for partition ${numbers(leaderless)}`);
  if (stuck.length > 0) {
    const which = `lacks replicas in sync of partition ${numbers(stuck)}`;
    tell(true, `${which}, has fewer than min.insync.replicas=${least}: nothing can be written`);
  }
  if (behind.length > 0) tell(false, `lacks replicas in sync of partition ${numbers(behind)}`);
  if (fewest < want.replicationFactor) {
    tell(false, `has ${fewest} of ${want.replicationFactor} replicas`);
  }
  // Operators choose the number of partitions of records, but not of these topics.
  if (want.numPartitions === 1 && partitions.length !== 1) {
    tell(true, `has ${partitions.length} partitions and may have only one`);
  }
  return problems;
}

function judgeSettings(want: WantedTopic, found: FoundTopic): readonly TopicProblem[] {
  return want.configEntries.flatMap(({ name, value: wanted }) => {
    const is = found.settings.get(name);
    const verdict = is === undefined ? undefined : judgeSetting(name, { wanted, is, found });
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

/** Undefined if the value is fine. */
function judgeSetting(name: string, { wanted, is, found }: Difference): Verdict | undefined {
  const says = `has ${name}=${is}, wanted is ${wanted}`;
  // Depends on the wanted number of replicas, not on the present one.
  if (name === 'min.insync.replicas') return judgeLeastReplicas(says, { wanted, is, found });
  if (is === wanted) return undefined;
  switch (name) {
    case 'cleanup.policy':
      return wanted === 'compact'
        ? { isDangerous: is.includes('delete'), says: `${says}: ${keepsTooMuch(is)}` }
        : { isDangerous: true, says: `${says}: Kafka ${whatCompactionDoes(is)}` };
    case 'retention.ms':
    case 'retention.bytes':
      // They have no effect without deletion.
      if (!String(found.settings.get('cleanup.policy')).includes('delete')) return undefined;
      return { isDangerous: true, says: `${says}: Kafka deletes the oldest entries` };
    case 'unclean.leader.election.enable':
      return { isDangerous: true, says: `${says}: acknowledged entries are lost with a leader` };
    case 'max.message.bytes':
      if (Number(is) > Number(wanted)) return undefined;
      return { isDangerous: true, says: `${says}: large changes cannot be written` };
    case 'segment.bytes':
      return {
        isDangerous: false,
        says: `${says}: Kafka frees the room of processed entries late`,
      };
    default:
      return { isDangerous: false, says: `${says}: a power cut may take acknowledged entries` };
  }
}

function judgeLeastReplicas(says: string, { wanted, is, found }: Difference): Verdict | undefined {
  const replicas = Math.min(...found.partitions.map((partition) => partition.replicas));
  if (Number(is) > replicas) {
    return { isDangerous: true, says: `${says}: with ${replicas} replicas nothing can be written` };
  }
  if (Number(is) >= Number(wanted)) return undefined;
  return { isDangerous: false, says: `${says}: a write may be acknowledged by one broker alone` };
}

const whatCompactionDoes = (policy: string): string =>
  policy.includes('delete') ? 'drops and deletes entries' : 'drops all but the last entry of a key';

const keepsTooMuch = (policy: string): string =>
  policy.includes('compact') ? 'Kafka deletes old entries' : 'it grows for ever';
