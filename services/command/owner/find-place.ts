import { randomInt } from 'node:crypto';
import { commandKey } from '../../../shared/domain/record/command-key.ts';
import { partitionOf } from '../../../shared/events/partition-of.ts';
import type { TopicNames } from '../../../shared/kafka/topics.ts';
import type { Command, Place } from './send-to-owner.ts';

interface PlaceDeps {
  readonly topics: Pick<TopicNames, 'directory' | 'records'>;
  readonly partitions: number;
  readonly newId: () => string;
  readonly newIdIn: (partition: number) => string;
}

/** Finds the partition that decides a command, and the id of a new record in it. */
export function createFindPlace({ topics, partitions, newId, newIdIn }: PlaceDeps) {
  const inRecords = (partition: number, id: string): Place => ({
    resource: `${topics.records}/${partition}`,
    partition,
    id,
  });

  return {
    placeOf({ actor, commandId, id, model }: Command): Place | undefined {
      if (model.definition.log === 'directory') {
        return { resource: `${topics.directory}/0`, partition: 0, id: id ?? newId() };
      }
      if (id !== undefined) return inRecords(partitionOf(id, partitions), id);
      if (commandId === null) return undefined;
      // The same key has to lead to the same partition and id on every instance.
      const partition = partitionOf(commandKey(actor.id, commandId), partitions);
      return inRecords(partition, newIdIn(partition));
    },
    anyPlace(): Place {
      const partition = randomInt(partitions);
      return inRecords(partition, newIdIn(partition));
    },
  };
}
