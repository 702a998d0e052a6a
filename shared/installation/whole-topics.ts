import type { WholeTopics } from '../kafka/connection.ts';
import type { TopicNames } from '../kafka/topics.ts';
import { beginningOf, type Mark } from './mark.ts';

/** Returns the topics that are read from the first to the last entry, and that must therefore be complete. */
export function truthTopics(topics: TopicNames): readonly string[] {
  return [topics.installation, topics.directory, topics.records, topics.files];
}

/** Makes connections reject reads of a damaged log. */
export function wholeTopics(
  topics: TopicNames,
  mark: () => Mark | undefined,
  onDamage?: WholeTopics['onDamage'],
): WholeTopics {
  const truth = new Set(truthTopics(topics));
  return {
    firstOffset: (topic, partition) =>
      truth.has(topic) ? beginningOf(mark(), topic, partition) : undefined,
    onDamage,
  };
}
