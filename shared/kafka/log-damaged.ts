import { Unavailable } from '../domain/errors.ts';

interface DamagedPlace {
  readonly topic: string;
  readonly partition: number;
  /** The first damaged or missing offset. */
  readonly offset: bigint;
}

export const damageRemedy =
  'annals rebuild-log --replace rewrites the log from Postgres; if Postgres is lost too, restore a backup';

/**
 * Thrown if a partition of the log lacks entries that it once had, or contains damaged entries. The remaining entries
 * must not be used as the log.
 */
export class LogDamaged extends Unavailable {
  readonly place: DamagedPlace;
  /** Completes a sentence about the partition. */
  readonly problem: string;

  constructor({ topic, partition, offset }: DamagedPlace, problem: string) {
    super(`${topic}/${partition}: ${problem}`, { remedy: damageRemedy });
    this.problem = problem;
    this.place = { topic, partition, offset };
  }
}

/**
 * Returns the error for missing entries from `offset` (inclusive) to `next` (exclusive). `first` is the offset at which
 * the partition begins.
 */
export function lacksEntries(
  { topic, partition, offset }: DamagedPlace,
  { first, next }: { readonly first: bigint; readonly next: bigint },
): LogDamaged {
  const place = { topic, partition, offset };
  if (offset === first) return new LogDamaged(place, `entries before offset ${next} are missing`);
  if (next === offset + 1n)
    return new LogDamaged(place, `the entry at offset ${offset} is missing`);
  return new LogDamaged(place, `entries from offset ${offset} to ${next - 1n} are missing`);
}
