import type { KafkaConnection } from '../kafka/connection.ts';
import { endOffset, type PartitionPosition } from '../kafka/read-partitions.ts';
import { judgeEnd, type RefusedLog } from './judge-log.ts';

/**
 * The highest ends seen of partitions. Positions in Postgres are compared with the log when a process starts; a process
 * that does not read or write just then would not notice that a broker came back with less.
 */
export class LogEnds {
  readonly #highest = new Map<string, bigint>();

  /** Why this is not the log of before any more; undefined while no end is lower. Throws Unavailable. */
  async compare(
    connection: KafkaConnection,
    partitions: readonly Pick<PartitionPosition, 'topic' | 'partition'>[],
  ): Promise<RefusedLog | undefined> {
    const verdicts = await Promise.all(
      partitions.map(async ({ topic, partition }) => {
        const name = `${topic}/${partition}`;
        const highest = this.#highest.get(name) ?? 0n;
        const end = await endOffset(connection, topic, partition);
        if (end > highest) this.#highest.set(name, end);
        return judgeEnd(name, { end, highest });
      }),
    );
    return verdicts.find((verdict) => verdict !== undefined);
  }
}
