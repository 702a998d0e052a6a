import { Unavailable } from '../domain/errors.ts';
import type { LogDamaged } from '../kafka/log-damaged.ts';
import type { PartitionPosition } from '../kafka/read-partitions.ts';
import type { Mark } from './mark.ts';
import { markLog } from './mark-log.ts';

/**
 * Where readers of this process found damage, one place per partition. Other processes may never read there, and this one
 * forgets the place when it restarts, so it is added to the mark, and every process looks for itself.
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

  /** Marks the log with the places that its mark lacks. A failure is logged: the next look tries again. */
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
      log.log.warn({ err }, 'damage of the log could not be marked');
    }
  }
}
