import { randomUUID } from 'node:crypto';
import { UnreadableMessage } from '../domain/errors.ts';
import { parseJsonObject } from '../events/wire-values.ts';
import type { FoundLog, FoundLogTopic } from '../kafka/read-cluster.ts';

/**
 * Says which log is an installation's own. It stands in the log's topic `installation`, under an authentication code,
 * and in Postgres (docs/adr/0024). Whoever finds another cluster, another topic under the same name, other numbers of
 * partitions or another mark than he knows does not go on.
 */
export interface Mark {
  /** Made at random at the very first start. */
  readonly installationId: string;
  /** Grows by one when an operator accepts a log that is not the one of the mark before. */
  readonly generation: number;
  /** Grows with every mark. Of two with the same revision the first one in the topic counts. */
  readonly revision: number;
  readonly clusterId: string;
  readonly topics: Readonly<Record<string, MarkedTopic>>;
  /** Whether new fences seal their partitions: not before every process gives its entries codes. */
  readonly sealed: boolean;
  /**
   * By topic and partition the offset below which codes cannot be checked, since the key that made them is lost. They
   * are taken as they stand.
   */
  readonly trustedBefore: Readonly<Record<string, readonly string[]>>;
}

interface MarkedTopic extends FoundLogTopic {
  /** Of its partitions the first ones so many have entries; more were added by somebody else and stay empty. */
  readonly used: number;
}

/** What the next mark takes over. */
export type KnownMark = Pick<Mark, 'sealed'> & Partial<Mark>;

/** The next mark of a log as it is found, after the one that is known of it; the first one without. */
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
  };
}

export function encodeMark(mark: Mark): Buffer {
  return Buffer.from(JSON.stringify(mark));
}

/** Throws UnreadableMessage. Not for bytes of strangers: whoever calls it has checked their code. */
export function decodeMark(bytes: Buffer | null): Mark {
  const what = 'the mark of an installation';
  const found: { [Name in keyof Mark]?: unknown } = parseJsonObject(String(bytes ?? ''), what);
  const isWhole =
    typeof found.installationId === 'string' &&
    Number.isSafeInteger(found.generation) &&
    Number.isSafeInteger(found.revision) &&
    typeof found.clusterId === 'string' &&
    typeof found.topics === 'object';
  if (!isWhole) throw new UnreadableMessage(`${what} lacks a value`);
  return found as Mark;
}
