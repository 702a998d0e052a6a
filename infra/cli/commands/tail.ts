import { setTimeout as sleep } from 'node:timers/promises';
import { UnreadableMessage } from '../../../shared/domain/errors.ts';
import type { AttributeValue } from '../../../shared/domain/record/attribute-values.ts';
import { emptyFold, type FoldState, fold } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import { createKafkaConnection, type KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  endOffset,
  liveRead,
  type PartitionPosition,
  type ReadMessage,
  type ReadPartition,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';
import type { CommandContext } from '../command-context.ts';

export interface TailOptions {
  readonly entity?: string;
  readonly id?: string;
  readonly user?: string;
  readonly type?: string;
  readonly from?: Date;
  readonly follow: boolean;
}

const MAX_VALUE_LENGTH = 60;
const IDLE_MS = 100;

/**
 * `annals tail`: events of records as they stand in the log, those that count and no others. The rule which do needs
 * the beginning of the log, so that is where reading starts; `from` only says what is shown.
 */
export async function tail(
  { installation, isJson, output }: CommandContext,
  options: TailOptions,
): Promise<number> {
  const { kafka, topics, log } = installation;
  const connection = createKafkaConnection(kafka, log);
  const heads = await openHeads(connection, topics.records);
  const showsFrom = options.from?.getTime() ?? (options.follow ? Date.now() : 0);
  const show = (event: LoggedEvent): void => {
    if (event.occurredAt < showsFrom || !isWanted(event, options)) return;
    output.print(isJson ? JSON.stringify(event) : toLine(event));
  };
  while (options.follow || heads.some(({ at, end }) => at.offset < end)) {
    const positions = heads.map(({ at }) => at);
    const read = await readPartitions(connection, positions, liveRead);
    if (read.length === 0) await sleep(IDLE_MS);
    for (const found of read) advance(heads[found.partition], found, show);
  }
  await connection.close();
  return 0;
}

/** How far a partition has been read, and where it ended at the beginning. */
interface Head {
  at: PartitionPosition;
  readonly end: bigint;
  state: FoldState;
}

async function openHeads(connection: KafkaConnection, topic: string): Promise<readonly Head[]> {
  const partitions = await connection.partitionsOf(topic);
  return Promise.all(
    Array.from({ length: partitions }, async (_, partition) => ({
      at: { topic, partition, offset: 0n },
      end: await endOffset(connection, topic, partition),
      state: emptyFold,
    })),
  );
}

function advance(
  head: Head | undefined,
  { messages, nextOffset }: ReadPartition,
  show: (event: LoggedEvent) => void,
): void {
  if (head === undefined) return;
  for (const message of messages) head.state = take(head.state, message, show);
  head.at = { ...head.at, offset: nextOffset };
}

function take(
  state: FoldState,
  message: ReadMessage,
  show: (event: LoggedEvent) => void,
): FoldState {
  try {
    const entry = decodeLogEntry(message.value);
    const next = fold(state, entry);
    if (next === undefined) return state;
    if (entry.kind === 'event') show(entry.event);
    return next;
  } catch (error) {
    if (error instanceof UnreadableMessage) return state;
    throw error;
  }
}

function isWanted(event: LoggedEvent, { entity, id, user, type }: TailOptions): boolean {
  return (
    (entity === undefined || event.entityType === entity) &&
    (id === undefined || event.recordId === id) &&
    (user === undefined || event.actorId === user) &&
    (type === undefined || event.type.toLowerCase() === type.toLowerCase())
  );
}

/** `2026-11-20T10:00:00.000Z Account 0ca7… v2 Updated by admin: name "A" → "B"`. */
function toLine(event: LoggedEvent): string {
  const { occurredAt, entityType, recordId, version, type, actorId, changes } = event;
  const changed = changes.map(
    ({ attribute, before, after }) => `${attribute} ${toShort(before)} → ${toShort(after)}`,
  );
  const what = `${entityType} ${recordId} v${version} ${type} by ${actorId}`;
  const text = `${new Date(occurredAt).toISOString()} ${what}`;
  return changed.length === 0 ? text : `${text}: ${changed.join(', ')}`;
}

function toShort(value: AttributeValue): string {
  const text = JSON.stringify(value);
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}
