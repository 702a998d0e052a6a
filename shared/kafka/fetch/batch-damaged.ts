import { Unavailable } from '../../domain/errors.ts';

export interface DamagedPlace {
  readonly topic: string;
  readonly partition: number;
  /** The first offset of the damaged batch. */
  readonly offset: bigint;
  /** The broker whose replica is damaged. */
  readonly broker: number;
  /** The partition's number of replicas. */
  readonly replicas: number;
}

/**
 * Thrown if the bytes of a batch changed after the broker stored them: the checksum does not match, or the header is
 * impossible. Every reader stops there, because skipping the batch would lose acknowledged changes. Reading succeeds
 * again as soon as the broker returns the original bytes.
 */
export class BatchDamaged extends Unavailable {
  readonly place: DamagedPlace;

  constructor(place: DamagedPlace) {
    const { topic, partition, offset, broker } = place;
    super(`damaged on disk at ${topic}/${partition} offset ${offset} (broker ${broker})`, {
      remedy: remedyFor(place),
    });
    this.place = place;
  }
}

function remedyFor({ topic, partition, broker, replicas }: DamagedPlace): string {
  if (replicas > 1) {
    return `stop broker ${broker}, delete the directory ${topic}-${partition} in its log.dirs, and start it again: it then copies the partition from another replica. Afterwards check the disk of this broker`;
  }
  const command = topic.endsWith('.records')
    ? `annals rebuild-log --replace --partition ${partition} rewrites this partition from Postgres`
    : 'annals rebuild-log --replace rewrites the log from Postgres; alternatively restore a backup';
  return `${command}. Do not rebuild the tables: they still contain the damaged entries. Afterwards check the disk of the broker`;
}
