import type { KafkaConnection } from '../kafka/connection.ts';
import { endOffset, type PartitionPosition } from '../kafka/read-partitions.ts';
import { assessEnd, type RefusedLog } from './assess-log.ts';

/**
 * The highest seen end of each partition. Positions in Postgres are compared with the log only at startup; without this
 * check, a process that is not reading or writing would not notice that a broker came back with fewer entries.
 */
export class LogEnds {
  readonly #highest = new Map<string, bigint>();

  /** Returns the problem if a partition has become shorter; undefined otherwise. Throws Unavailable. */
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
        return assessEnd(name, { end, highest });
      }),
    );
    return verdicts.find((verdict) => verdict !== undefined);
  }
}
