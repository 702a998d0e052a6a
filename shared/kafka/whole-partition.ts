import type { KafkaConnection } from './connection.ts';
import { lacksEntries } from './log-damaged.ts';

interface Position {
  readonly topic: string;
  readonly partition: number;
  readonly offset: bigint;
}

/** Missing offsets. */
export interface Gap {
  readonly from: bigint;
  /** The first offset after the gap. */
  readonly next: bigint;
}

/** Moves a position before the beginning of a rewritten partition to that beginning. */
export function notBeforeFirst({ whole }: KafkaConnection, position: Position): Position {
  const first = whole?.firstOffset(position.topic, position.partition) ?? 0n;
  return position.offset < first ? { ...position, offset: first } : position;
}

/** Throws LogDamaged for a gap in a topic that must not have any. */
export function requireWhole(
  { whole }: KafkaConnection,
  { topic, partition, gap }: Omit<Position, 'offset'> & { readonly gap?: Gap | undefined },
): void {
  const first = whole?.firstOffset(topic, partition);
  if (gap === undefined || first === undefined) return;
  const damage = lacksEntries({ topic, partition, offset: gap.from }, { first, next: gap.next });
  whole?.onDamage?.(damage);
  throw damage;
}

/**
 * Finds missing offsets. Control records and records of aborted transactions are among the messages, so they do not
 * appear as gaps.
 */
export function findGap(
  messages: readonly { readonly offset: bigint }[],
  from: bigint,
): Gap | undefined {
  const offsets = (index: number): bigint => messages[index]?.offset ?? 0n;
  if (messages.length === 0) return undefined;
  let index = messages.findIndex(({ offset }) => offset >= from);
  // The batch that covers the offset exists, but lacks this entry.
  if (index === -1) return { from, next: from + 1n };
  const isWhole = offsets(messages.length - 1) === from + BigInt(messages.length - 1 - index);
  if (isWhole) return undefined;
  let expected = from;
  while (offsets(index) === expected) {
    index += 1;
    expected += 1n;
  }
  return { from: expected, next: offsets(index) };
}
