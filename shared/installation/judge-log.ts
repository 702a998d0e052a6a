import { damageRemedy, type LogDamaged } from '../kafka/log-damaged.ts';
import type { FoundLog } from '../kafka/read-cluster.ts';
import type { PartitionPosition } from '../kafka/read-partitions.ts';
import type { Mark } from './mark.ts';

export interface LogFindings {
  readonly log: FoundLog;
  /** Names of all topics of this version. */
  readonly wanted: readonly string[];
  /** Topics without which there is no log: every version creates them together at its first start. */
  readonly essential: readonly string[];
  /** The mark in the log. */
  readonly mark: Mark | undefined;
  /** A mark in the log that was made under another secret key. */
  readonly foreignMark: Mark | undefined;
  /** What the log lacks of what it had. */
  readonly damage: LogDamaged | undefined;
  /** Undefined if Postgres is not asked, or does not answer. */
  readonly database:
    | {
        readonly mark: Mark | undefined;
        readonly positions: readonly PositionInLog[];
        /** Partitions of a sealed log that an earlier version wrote to, as `topic/partition`. */
        readonly formerWriters: readonly string[];
      }
    | undefined;
}

export interface PositionInLog extends PartitionPosition {
  /** Undefined if there is no such partition. */
  readonly end: bigint | undefined;
}

/**
 * `new`: neither Kafka nor Postgres has anything. `unmarked`: a log of a version without marks. `known`: the log is the
 * one that the mark describes; `added` are topics that a later version introduced.
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
  /** Whether this is the log of the installation with a part missing, which rebuild-log --replace writes again. */
  readonly isReplaceable?: boolean;
}

const restore =
  'restore Kafka from its replicas or a backup; annals rebuild-log --replace writes the log again from Postgres; to go on with the log as it is, without what it lacks: annals topics accept';

/** Whether this log is the installation's own. A pure function. */
export function judgeLog(findings: LogFindings): LogVerdict {
  const { database, log, essential, mark } = findings;
  const hasTables = (database?.positions.length ?? 0) > 0;
  const hasTopics = essential.some((topic) => log.topics.has(topic));
  if (!hasTopics && mark === undefined && database?.mark === undefined) {
    if (!hasTables) return { kind: 'new' };
    return refuse('Postgres has the tables of a log, and this Kafka has none of its topics', other);
  }
  const known = mark ?? database?.mark;
  return (
    judgeKey(findings) ??
    judgeDatabase(findings) ??
    (known === undefined ? judgeUnmarked(findings) : compareTopics(findings.log, known)) ??
    judgeReplacement(known) ??
    judgeDamage(findings.damage) ??
    judgePositions(findings) ??
    judgeFormerWriters(findings) ??
    (mark === undefined
      ? judgeMissingMark(findings)
      : {
          kind: 'known',
          mark,
          added: findings.wanted.filter((topic) => !Object.hasOwn(mark.topics, topic)),
        })
  );
}

const other =
  'correct KAFKA_BROKERS, DATABASE_URL or ANNALS_TOPIC_PREFIX, or restore Kafka from its replicas or a backup; without one annals rebuild-log writes the log anew from Postgres; to go on with an empty log: annals topics accept';

function judgeKey({ mark, foreignMark }: LogFindings): LogVerdict | undefined {
  if (mark !== undefined || foreignMark === undefined) return undefined;
  return refuse(
    'the log was written under another secret key than this one',
    'restore the key in ANNALS_SECRET_KEY; is it lost, docs/operations/secrets.md says how to go on with another one',
  );
}

function judgeDatabase({ mark, database }: LogFindings): LogVerdict | undefined {
  const stored = database?.mark;
  if (mark === undefined || stored === undefined) return undefined;
  if (stored.installationId !== mark.installationId) {
    return refuse(
      'Postgres belongs to another installation than this log',
      'correct KAFKA_BROKERS, DATABASE_URL or ANNALS_TOPIC_PREFIX',
    );
  }
  if (stored.revision > mark.revision) {
    return refuse('this log is older than what Postgres knows of it', restore);
  }
  if (stored.generation < mark.generation) {
    return refuse(
      `Postgres has the tables of this log before it was accepted anew (generation ${stored.generation} of ${mark.generation})`,
      'annals topics accept --drop-tables: they are filled again from the log',
    );
  }
  return undefined;
}

/** Why a log that `rebuild-log --replace` has begun to replace is refused. */
export function judgeReplacement(mark: Mark | undefined): RefusedLog | undefined {
  if (mark?.isBeingReplaced !== true) return undefined;
  return replaceable(
    'annals rebuild-log --replace has begun to write this log again, and did not end',
    'run the same command again: it continues',
  );
}

/** Why a damaged log is refused. */
export function judgeDamage(
  damage: Pick<LogDamaged, 'message' | 'remedy'> | undefined,
): RefusedLog | undefined {
  return damage && replaceable(damage.message, damage.remedy ?? damageRemedy);
}

function judgeUnmarked({ log, essential }: LogFindings): LogVerdict | undefined {
  const lost = essential.filter((topic) => !log.topics.has(topic));
  return lost.length === 0 ? undefined : refuseLost(lost);
}

/** How the topics differ from the mark; undefined if they do not. */
export function compareTopics(log: FoundLog, mark: Mark): RefusedLog | undefined {
  if (log.clusterId !== mark.clusterId) {
    return refuse(
      `this Kafka cluster is ${log.clusterId}, and this installation's log is in ${mark.clusterId}`,
      other,
    );
  }
  const known = Object.entries(mark.topics);
  const lost = known.filter(([topic]) => !log.topics.has(topic)).map(([topic]) => topic);
  if (lost.length === known.length)
    return refuse('all topics of this installation are gone', other);
  if (lost.length > 0) return refuseLost(lost);
  const made = known.filter(([topic, { id }]) => log.topics.get(topic)?.id !== id);
  if (made.length > 0) {
    const names = made.map(([topic]) => topic).join(', ');
    return replaceable(
      `${names} ${made.length > 1 ? 'were' : 'was'} deleted and made anew`,
      restore,
    );
  }
  for (const [topic, { partitions }] of known) {
    const found = log.topics.get(topic)?.partitions ?? 0;
    if (found === partitions) continue;
    return refuse(
      `somebody changed ${topic} from ${partitions} to ${found} partitions`,
      'annals topics accept goes on with those that were there; the added ones stay empty',
    );
  }
  return undefined;
}

function judgePositions({ database }: LogFindings): LogVerdict | undefined {
  const gone = database?.positions.find(({ end }) => end === undefined);
  if (gone !== undefined) {
    const { topic, partition } = gone;
    return refuse(`Postgres has a position in ${topic}/${partition}, which is not there`, other);
  }
  const ahead = database?.positions.find(({ offset, end }) => end !== undefined && offset > end);
  if (ahead === undefined) return undefined;
  const { topic, partition, offset, end } = ahead;
  return replaceable(
    `${topic}/${partition} ends at ${end}, and Postgres has its entries up to ${offset}: Kafka lost acknowledged entries`,
    restore,
  );
}

function judgeFormerWriters({ database }: LogFindings): LogVerdict | undefined {
  const partitions = database?.formerWriters ?? [];
  if (partitions.length === 0) return undefined;
  return replaceable(
    `an earlier version of Annals wrote to ${partitions.join(', ')} after the log was sealed: Postgres has its entries, and the log does not count them`,
    'annals rebuild-log --replace writes the log again from Postgres, these entries included; or restore a backup of both from before: docs/operations/upgrade.md, The way back',
  );
}

/** Whether a partition still reaches to where it did when this process last looked. */
export function judgeEnd(
  partition: string,
  { end, highest }: { readonly end: bigint; readonly highest: bigint },
): RefusedLog | undefined {
  if (end >= highest) return undefined;
  return refuse(
    `${partition} ends at ${end}, and ended at ${highest} before: Kafka lost acknowledged entries`,
    restore,
  );
}

function judgeMissingMark({ database }: LogFindings): LogVerdict {
  if (database?.mark === undefined) return { kind: 'unmarked' };
  return refuse('this log is older than what Postgres knows of it', restore);
}

function refuseLost(lost: readonly string[]): RefusedLog {
  const verb = lost.length > 1 ? 'are' : 'is';
  return replaceable(
    `${lost.join(', ')} ${verb} gone, though other topics of Annals are there`,
    restore,
  );
}

const replaceable = (says: string, remedy: string): RefusedLog => ({
  ...refuse(says, remedy),
  isReplaceable: true,
});

const refuse = (says: string, remedy: string): RefusedLog => ({ kind: 'refused', says, remedy });
