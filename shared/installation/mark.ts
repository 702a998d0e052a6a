import { randomUUID } from 'node:crypto';
import { UnreadableMessage } from '../domain/errors.ts';
import { parseJsonObject } from '../events/wire-values.ts';
import type { FoundLog, FoundLogTopic } from '../kafka/read-cluster.ts';

/**
 * Identifies the log of an installation. The mark is stored in the log's topic `installation`, with an authentication
 * code, and in Postgres (docs/adr/0024). A process stops if it finds another cluster, a recreated topic, a different
 * number of partitions, or a mark other than the known one.
 */
export interface Mark {
  /** Generated at the very first start. */
  readonly installationId: string;
  /** Incremented when an operator accepts a log that differs from the previous mark. */
  readonly generation: number;
  /** Incremented with every mark. Of two marks with the same revision, the first one in the topic counts. */
  readonly revision: number;
  readonly clusterId: string;
  readonly topics: Readonly<Record<string, MarkedTopic>>;
  /** True if new fences seal their partitions, which requires that every process authenticates its entries. */
  readonly sealed: boolean;
  /** Per topic and partition: the offset below which codes cannot be verified (lost key). Those entries count unverified. */
  readonly trustedBefore: Readonly<Record<string, readonly string[]>>;
  /** Per topic and partition: the offset of the first entry, which is not 0 after a rewrite (docs/adr/0044). */
  readonly beginnings?: Readonly<Record<string, readonly string[]>>;
  /** Places where a process detected missing entries. Every process checks them itself. */
  readonly suspects?: readonly SuspectPlace[];
  /** True while `rebuild-log --replace` is running. No service uses the log during that time. */
  readonly isBeingReplaced?: boolean;
}

interface SuspectPlace {
  readonly topic: string;
  readonly partition: number;
  readonly offset: string;
}

interface MarkedTopic extends FoundLogTopic {
  /** The number of partitions in use. Partitions added later by other tools stay empty. */
  readonly used: number;
}

/** The properties that the next mark inherits. */
export type KnownMark = Partial<Mark> & { readonly sealed: boolean };

/** Returns the next mark for the current state of the log; the first mark if the log has none. */
export function toMark({ clusterId, topics }: FoundLog, known: KnownMark): Mark {
  const marked = [...topics].map(([name, { id, partitions }]) => {
    const used = known.topics?.[name]?.used ?? partitions;
    return [name, { id, partitions, used: Math.min(used, partitions) }] as const;
  });
  return {
    installationId: known.installationId ?? randomUUID(),
    generation: known.generation ?? 1,
    revision: (known.revision ?? 0) + 1,
    clusterId,
    topics: Object.fromEntries(marked),
    sealed: known.sealed,
    trustedBefore: known.trustedBefore ?? {},
    beginnings: known.beginnings ?? {},
    suspects: known.suspects ?? [],
    isBeingReplaced: known.isBeingReplaced ?? false,
  };
}

/** Returns the offset of the first entry in a partition. */
export function beginningOf(mark: Mark | undefined, topic: string, partition: number): bigint {
  return BigInt(mark?.beginnings?.[topic]?.[partition] ?? 0);
}

/** Returns the offset of a partition below which codes are not verified. */
export function trustedBefore(
  mark: Mark | undefined,
  { topic, partition }: { readonly topic: string; readonly partition: number },
): bigint {
  return BigInt(mark?.trustedBefore[topic]?.[partition] ?? 0);
}

export function encodeMark(mark: Mark): Buffer {
  return Buffer.from(JSON.stringify(mark));
}

/** Decodes bytes whose authentication code the caller has verified. Throws UnreadableMessage. */
export function decodeMark(bytes: Buffer | null): Mark {
  const what = 'the mark of an installation';
  const found: { [Name in keyof Mark]?: unknown } = parseJsonObject(String(bytes ?? ''), what);
  const isWhole =
    typeof found.installationId === 'string' &&
    Number.isSafeInteger(found.generation) &&
    Number.isSafeInteger(found.revision) &&
    typeof found.clusterId === 'string' &&
    typeof found.topics === 'object';
  if (!isWhole) throw new UnreadableMessage(`${what} lacks a required value`);
  return found as Mark;
}
