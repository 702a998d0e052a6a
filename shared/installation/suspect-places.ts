import { Unavailable } from '../domain/errors.ts';
import type { LogDamaged } from '../kafka/log-damaged.ts';
import type { PartitionPosition } from '../kafka/read-partitions.ts';
import type { Mark } from './mark.ts';
import { markLog } from './mark-log.ts';

/**
 * Places where readers of this process found damage, one per partition. Other processes may never read there, and this
 * one loses the list on restart, so the places are added to the mark and every process checks them.
 */
export class SuspectPlaces {
  readonly #byPartition = new Map<string, PartitionPosition>();

  add({ place }: Pick<LogDamaged, 'place'>): void {
    const partition = `${place.topic}/${place.partition}`;
    if (!this.#byPartition.has(partition)) this.#byPartition.set(partition, place);
  }

  list(): readonly PartitionPosition[] {
    return [...this.#byPartition.values()];
  }

  /** Adds places missing from the mark to a new mark. Failures are logged; the next check retries. */
  async addTo(known: Mark, log: Parameters<typeof markLog>[0]): Promise<void> {
    const marked = known.suspects ?? [];
    const unmarked = this.list().filter(({ topic, partition }) =>
      marked.every((one) => one.topic !== topic || one.partition !== partition),
    );
    if (unmarked.length === 0) return;
    const added = unmarked.map((place) => ({ ...place, offset: String(place.offset) }));
    try {
      await markLog(log, { ...known, suspects: [...marked, ...added] });
    } catch (err) {
      if (!(err instanceof Unavailable)) throw err;
      log.log.warn({ err }, 'cannot add the damage of the log to its mark');
    }
  }
}
