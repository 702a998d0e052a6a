import type { WholeTopics } from '../kafka/connection.ts';
import type { TopicNames } from '../kafka/topics.ts';
import { beginningOf, type Mark } from './mark.ts';

/** Topics that are read from their first entry to their last one, so that none may be missing. */
export function truthTopics(
  topics: Pick<TopicNames, 'installation' | 'directory' | 'records' | 'files'>,
): readonly string[] {
  return [topics.installation, topics.directory, topics.records, topics.files];
}

/** For connections that refuse to read a damaged log. */
export function wholeTopics(
  topics: Parameters<typeof truthTopics>[0],
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
