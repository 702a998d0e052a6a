import { setTimeout as sleep } from 'node:timers/promises';
import { Unavailable, UnreadableMessage } from '../../../../shared/domain/errors.ts';
import type { KafkaConnection } from '../../../../shared/kafka/connection.ts';
import { endOffset, endWithOpen } from '../../../../shared/kafka/read-partitions.ts';
import { readCompacted } from '../../../../shared/kafka/read-whole.ts';
import type { AddressedMessage } from '../../../../shared/kafka/transactor.ts';

/** The numbers of one batch. They are consecutive; events whose indexes are in `without` have no number. */
export interface Assignment {
  readonly batchId: string;
  /** The place of the batch in the log when the numbers were assigned. */
  readonly topic: string;
  readonly offset: string;
  readonly first: number;
  readonly last: number;
  readonly without: readonly number[];
}

/** The values in the topic, by key. */
export type StoredSequences = ReadonlyMap<string, string>;

/**
 * The compacted topic has two keys per webhook. Earlier versions of Annals use only the first key. The values are text:
 *
 *   <id>           the last number
 *   <id>/batches   the assignments of batches that may have been sent and have no recorded outcome, as JSON
 */
const assignmentsKey = (webhookId: string): string => `${webhookId}/batches`;

const MAX_WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 50;

/** Reads the topic up to its end. Must be called after the previous owner was fenced. Throws Unavailable. */
export async function loadSequences(
  connection: KafkaConnection,
  topic: string,
): Promise<StoredSequences> {
  await waitForOpenTransactions(connection, topic);
  return readCompacted(connection, topic, decodeText);
}

/**
 * Waits until no transaction is open. The owners of other partitions write to the same topic, and readers cannot see
 * anything after the start of an open transaction, which may include this partition's entries.
 */
async function waitForOpenTransactions(connection: KafkaConnection, topic: string): Promise<void> {
  const end = await endWithOpen(connection, topic, 0);
  const giveUpAt = Date.now() + MAX_WAIT_MS;
  while ((await endOffset(connection, topic, 0)) < end) {
    if (Date.now() > giveUpAt) throw new Unavailable(`a transaction is open in ${topic}`);
    await sleep(LOOK_AGAIN_MS);
  }
}

export function lastSequence(stored: StoredSequences, webhookId: string): number {
  return Number(stored.get(webhookId) ?? 0);
}

export function storedAssignments(
  stored: StoredSequences,
  webhookId: string,
): readonly Assignment[] {
  return JSON.parse(stored.get(assignmentsKey(webhookId)) ?? '[]');
}

export function toSequenceMessages(
  topic: string,
  webhookId: string,
  { last, assignments }: { readonly last: number; readonly assignments: readonly Assignment[] },
): readonly AddressedMessage[] {
  const toMessage = (key: string, text: string): AddressedMessage => ({
    topic,
    partition: 0,
    key,
    value: Buffer.from(text),
  });
  return [
    toMessage(webhookId, String(last)),
    toMessage(assignmentsKey(webhookId), JSON.stringify(assignments)),
  ];
}

function decodeText(bytes: Buffer | null): string {
  const text = String(bytes ?? '');
  if (/^\d{1,15}$/.test(text) || isAssignments(text)) return text;
  throw new UnreadableMessage('invalid sequence numbers of a webhook');
}

function isAssignments(text: string): boolean {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) && parsed.every(isAssignment);
  } catch {
    return false;
  }
}

function isAssignment(value: unknown): value is Assignment {
  if (typeof value !== 'object' || value === null) return false;
  const { batchId, topic, offset, first, last, without } = value as Record<string, unknown>;
  return (
    typeof batchId === 'string' &&
    typeof topic === 'string' &&
    typeof offset === 'string' &&
    /^\d+$/.test(offset) &&
    Number.isSafeInteger(first) &&
    Number.isSafeInteger(last) &&
    Array.isArray(without) &&
    without.every(Number.isSafeInteger)
  );
}
