import type { Unavailable } from '../domain/errors.ts';
import { damageRemedy, type LogDamaged } from '../kafka/log-damaged.ts';
import type { FoundLog } from '../kafka/read-cluster.ts';
import type { PartitionPosition } from '../kafka/read-partitions.ts';
import type { Mark } from './mark.ts';

export interface LogFindings {
  readonly log: FoundLog;
  /** The names of all topics in this version. */
  readonly wanted: readonly string[];
  /** Topics that every log has: every version creates all of them at its first start. */
  readonly essential: readonly string[];
  /** The mark in the log. */
  readonly mark: Mark | undefined;
  /** A mark in the log that was created with another secret key. */
  readonly foreignMark: Mark | undefined;
  /** The missing entries; undefined if the log is complete. */
  readonly damage: LogDamaged | undefined;
  /** Undefined if Postgres was not queried or is unreachable. */
  readonly database:
    | {
        readonly mark: Mark | undefined;
        readonly positions: readonly PositionInLog[];
        /** Partitions of a sealed log to which an earlier version wrote, as `topic/partition`. */
        readonly formerWriters: readonly string[];
      }
    | undefined;
}

export interface PositionInLog extends PartitionPosition {
  /** Undefined if the partition does not exist. */
  readonly end: bigint | undefined;
}

/**
 * `new`: neither Kafka nor Postgres contains anything. `unmarked`: a log from a version without marks. `known`: the log
 * matches the mark; `added` lists topics introduced by a later version.
 */
export type LogVerdict =
  | { readonly kind: 'new' }
  | { readonly kind: 'unmarked' }
  | { readonly kind: 'known'; readonly mark: Mark; readonly added: readonly string[] }
  | RefusedLog;

export interface RefusedLog {
  readonly kind: 'refused';
  readonly says: string;
  readonly remedy: string;
  /** True if this is the installation's log with parts missing, which rebuild-log --replace can rewrite. */
  readonly isReplaceable?: boolean;
}

const restore =
  'restore Kafka from its replicas or a backup; or rewrite the log from Postgres: annals rebuild-log --replace; or continue with the log without the missing entries: annals topics accept';

/** Determines whether this log is the installation's own. A pure function. */
export function assessLog(findings: LogFindings): LogVerdict {
  const { database, log, essential, mark } = findings;
  const hasTables = (database?.positions.length ?? 0) > 0;
  const hasTopics = essential.some((topic) => log.topics.has(topic));
  if (!hasTopics && mark === undefined && database?.mark === undefined) {
    if (!hasTables) return { kind: 'new' };
    return refuse('Postgres has the tables of a log, but this Kafka has none of its topics', other);
  }
  const known = mark ?? database?.mark;
  return (
    assessKey(findings) ??
    assessDatabase(findings) ??
    (known === undefined ? assessUnmarked(findings) : compareTopics(findings.log, known)) ??
    assessReplacement(known) ??
    assessDamage(findings.damage) ??
    assessPositions(findings) ??
    assessFormerWriters(findings) ??
    (mark === undefined
      ? assessMissingMark(findings)
      : {
          kind: 'known',
          mark,
          added: findings.wanted.filter((topic) => !Object.hasOwn(mark.topics, topic)),
        })
  );
}

const other =
  'correct KAFKA_BROKERS, DATABASE_URL or ANNALS_TOPIC_PREFIX, or restore Kafka from its replicas or a backup; without a backup, rewrite the log from Postgres: annals rebuild-log; or continue with an empty log: annals topics accept';

function assessKey({ mark, foreignMark }: LogFindings): LogVerdict | undefined {
  if (mark !== undefined || foreignMark === undefined) return undefined;
  return refuse(
    'the log was written with a different secret key',
    'restore the key in ANNALS_SECRET_KEY; if it is lost, see docs/operations/secrets.md for how to continue with a new one',
  );
}

function assessDatabase({ mark, database }: LogFindings): LogVerdict | undefined {
  const stored = database?.mark;
  if (mark === undefined || stored === undefined) return undefined;
  if (stored.installationId !== mark.installationId) {
    return refuse(
      'Postgres and this log belong to different installations',
      'correct KAFKA_BROKERS, DATABASE_URL or ANNALS_TOPIC_PREFIX',
    );
  }
  if (stored.revision > mark.revision) {
    return refuse('this log is older than the mark stored in Postgres', restore);
  }
  if (stored.generation < mark.generation) {
    return refuse(
      `Postgres still has the tables from before this log was accepted (generation ${stored.generation}, now ${mark.generation})`,
      'refill them from the log: annals topics accept --drop-tables',
    );
  }
  return undefined;
}

/** Returns the verdict for a log whose replacement by `rebuild-log --replace` has not finished. */
export function assessReplacement(mark: Mark | undefined): RefusedLog | undefined {
  if (mark?.isBeingReplaced !== true) return undefined;
  return replaceable(
    'annals rebuild-log --replace started to rewrite this log and did not finish',
    'run the same command again; it continues where it stopped',
  );
}

/** Returns the verdict for a damaged log; undefined if the log is not damaged. */
export function assessDamage(damage: Unavailable | undefined): RefusedLog | undefined {
  return damage && replaceable(damage.message, damage.remedy ?? damageRemedy);
}

function assessUnmarked({ log, essential }: LogFindings): LogVerdict | undefined {
  const lost = essential.filter((topic) => !log.topics.has(topic));
  return lost.length === 0 ? undefined : refuseLost(lost);
}

/** Compares the topics with the mark. Returns undefined if they match. */
export function compareTopics(log: FoundLog, mark: Mark): RefusedLog | undefined {
  if (log.clusterId !== mark.clusterId) {
    return refuse(
      `this Kafka cluster is ${log.clusterId}, but this installation's log is in ${mark.clusterId}`,
      other,
    );
  }
  const known = Object.entries(mark.topics);
  const lost = known.filter(([topic]) => !log.topics.has(topic)).map(([topic]) => topic);
  if (lost.length === known.length)
    return refuse('all topics of this installation are gone', other);
  if (lost.length > 0) return refuseLost(lost);
  const recreated = known.filter(([topic, { id }]) => log.topics.get(topic)?.id !== id);
  if (recreated.length > 0) {
    const names = recreated.map(([topic]) => topic).join(', ');
    return replaceable(
      `${names} ${recreated.length > 1 ? 'were' : 'was'} deleted and recreated`,
      restore,
    );
  }
  for (const [topic, { partitions }] of known) {
    const found = log.topics.get(topic)?.partitions ?? 0;
    if (found === partitions) continue;
    return refuse(
      `the number of partitions of ${topic} was changed from ${partitions} to ${found}`,
      'continue with the original partitions and leave the added ones empty: annals topics accept',
    );
  }
  return undefined;
}

function assessPositions({ database }: LogFindings): LogVerdict | undefined {
  const gone = database?.positions.find(({ end }) => end === undefined);
  if (gone !== undefined) {
    const { topic, partition } = gone;
    return refuse(`Postgres has a position in ${topic}/${partition}, which does not exist`, other);
  }
  const ahead = database?.positions.find(({ offset, end }) => end !== undefined && offset > end);
  if (ahead === undefined) return undefined;
  const { topic, partition, offset, end } = ahead;
  return replaceable(
    `${topic}/${partition} ends at ${end}, but Postgres has its entries up to ${offset}: Kafka lost acknowledged entries`,
    restore,
  );
}

function assessFormerWriters({ database }: LogFindings): LogVerdict | undefined {
  const partitions = database?.formerWriters ?? [];
  if (partitions.length === 0) return undefined;
  return replaceable(
    `an earlier version of Annals wrote to ${partitions.join(', ')} after the log was sealed: Postgres has its entries, but they do not count in the log`,
    'rewrite the log from Postgres, including these entries: annals rebuild-log --replace; or restore an earlier backup of both: docs/operations/install.md, Upgrading',
  );
}

/** Checks that a partition still ends at least where this process last saw its end. */
export function assessEnd(
  partition: string,
  { end, highest }: { readonly end: bigint; readonly highest: bigint },
): RefusedLog | undefined {
  if (end >= highest) return undefined;
  return refuse(
    `${partition} ends at ${end}, but ended at ${highest} before: Kafka lost acknowledged entries`,
    restore,
  );
}

function assessMissingMark({ database }: LogFindings): LogVerdict {
  if (database?.mark === undefined) return { kind: 'unmarked' };
  return refuse('this log is older than the mark stored in Postgres', restore);
}

function refuseLost(lost: readonly string[]): RefusedLog {
  const verb = lost.length > 1 ? 'are' : 'is';
  return replaceable(
    `${lost.join(', ')} ${verb} gone, although other topics of Annals exist`,
    restore,
  );
}

const replaceable = (says: string, remedy: string): RefusedLog => ({
  ...refuse(says, remedy),
  isReplaceable: true,
});

const refuse = (says: string, remedy: string): RefusedLog => ({ kind: 'refused', says, remedy });
