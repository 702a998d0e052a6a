import { Unavailable } from '../domain/errors.ts';

interface DamagedPlace {
  readonly topic: string;
  readonly partition: number;
  /** The first damaged or missing offset. */
  readonly offset: bigint;
}

export const damageRemedy =
  'annals rebuild-log --replace writes the log again from Postgres; if Postgres is lost too, restore a backup';

/** A partition of the log lacks entries that it had, or has damaged ones. What is left of it is not the log. */
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

/** Entries from `offset` up to the one before `next` are missing. `first` is the offset at which the partition begins. */
export function lacksEntries(
  { topic, partition, offset }: DamagedPlace,
  { first, next }: { readonly first: bigint; readonly next: bigint },
): LogDamaged {
  const place = { topic, partition, offset };
  if (offset === first) return new LogDamaged(place, `entries before offset ${next} are gone`);
  if (next === offset + 1n) return new LogDamaged(place, `the entry at offset ${offset} is gone`);
  return new LogDamaged(place, `entries from offset ${offset} to ${next - 1n} are gone`);
}
