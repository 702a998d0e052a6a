import type { Observed } from '../../../shared/installation/observed.ts';
import { describeTopics } from '../../../shared/kafka/describe-topics.ts';
import { findTopicProblems } from '../../../shared/kafka/find-topic-problems.ts';
import { wantedTopics } from '../../../shared/kafka/topics.ts';

/** Reads the topics of an installation, and compares them with the expected topics. Throws Unavailable. */
export async function lookAtTopics({
  kafka,
  topics,
  recordPartitions,
  log,
}: Pick<Observed, 'kafka' | 'topics' | 'recordPartitions' | 'log'>) {
  const toNames = (list: readonly { readonly topic: string }[]) => list.map(({ topic }) => topic);
  const names = toNames(wantedTopics(topics, { recordPartitions }, 1));
  const found = await describeTopics(kafka, names, log);
  const wanted = wantedTopics(topics, { recordPartitions }, found.brokers);
  const existing = new Set(toNames(found.topics));
  return {
    ...found,
    topics: found.topics.toSorted(
      (one, other) => names.indexOf(one.topic) - names.indexOf(other.topic),
    ),
    missing: names.filter((name) => !existing.has(name)),
    problems: findTopicProblems(wanted, found.topics),
  };
}
