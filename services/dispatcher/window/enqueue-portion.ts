import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { matchEvent } from '../../../shared/domain/match/match-event.ts';
import type { FoldState } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import type { WebhookBatch } from '../../../shared/events/webhook-batch-codec.ts';
import type {
  PartitionPosition,
  ReadMessage,
  ReadPartition,
} from '../../../shared/kafka/read-partitions.ts';
import { traceparentOf } from '../../../shared/kafka/trace-header.ts';
import { BatchLists } from './batch-lists.ts';

/** The dispatcher's position in a partition of the records log. */
export type QueuePosition = PartitionPosition & FoldState;

export interface Portion {
  readonly batches: readonly WebhookBatch[];
  /** The new positions of partitions whose position moved. */
  readonly positions: readonly QueuePosition[];
  /** The number of events that matched at least one webhook. */
  readonly taken: number;
}

interface PortionContext {
  readonly limits: {
    /** The maximum number of matched events; Infinity means no limit. */
    readonly events: number;
    readonly batchSize: number;
  };
  readonly now: number;
}

/** Limits the payloads in batches, not the events, because an event is copied for each matching webhook. */
const MAX_PORTION_BYTES = 16 * 1024 * 1024;

/**
 * Matches the events that were read, and collects them into batches for each webhook. Keeps the order of the log within
 * a partition, and orders events from different partitions by time. Stops when a limit is reached. The positions are
 * then right behind the last event taken from each partition.
 */
export function enqueuePortion(
  directory: Directory,
  read: readonly { readonly from: QueuePosition; readonly found: ReadPartition }[],
  { limits, now }: PortionContext,
): Portion {
  const heads = read.map(({ from, found }) => new PartitionHead(from, found));
  const lists = new BatchLists({ batchSize: limits.batchSize, now });
  let taken = 0;
  while (taken < limits.events && lists.bytes < MAX_PORTION_BYTES) {
    const head = earliest(heads);
    if (head?.next === undefined) break;
    const { event, offset, message } = head.next;
    head.take();
    const matches = matchEvent(directory, { event, offset, partition: head.position.partition });
    if (matches.length > 0) taken += 1;
    for (const match of matches) lists.add(event, match, traceparentOf(message));
  }
  return {
    batches: lists.close(),
    positions: heads
      .filter(({ from, position }) => position.offset !== from.offset)
      .map(({ position }) => position),
    taken,
  };
}

interface QueuedEvent {
  readonly event: LoggedEvent;
  readonly message: ReadMessage;
  readonly offset: bigint;
}

/** Iterates over the valid events of a partition. The position is always right behind the last event taken. */
class PartitionHead {
  readonly from: QueuePosition;
  position: QueuePosition;
  /** Undefined at the end of the events that were read. */
  next: QueuedEvent | undefined;
  readonly #end: bigint;
  /** The messages after `next`. */
  readonly #unread: ArrayIterator<ReadMessage>;

  constructor(from: QueuePosition, found: ReadPartition) {
    this.from = from;
    this.position = from;
    this.#end = found.nextOffset;
    this.#unread = found.messages.values();
    this.#advance();
  }

  take(): void {
    if (this.next === undefined) return;
    const { event, offset } = this.next;
    const { token, sequence } = event;
    this.position = { ...this.position, token, sequence, offset: offset + 1n };
    this.#advance();
  }

  /** Advances to the next valid event. */
  #advance(): void {
    this.next = undefined;
    for (const message of this.#unread) {
      const { entry, state } = takeMessage(this.position, message);
      if (entry === undefined) continue;
      if (entry.kind === 'event') {
        this.next = { event: entry.event, message, offset: message.offset };
        return;
      }
      this.position = { ...this.position, ...state, offset: message.offset + 1n };
    }
    this.position = { ...this.position, offset: this.#end };
  }
}

function earliest(heads: readonly PartitionHead[]): PartitionHead | undefined {
  let first: PartitionHead | undefined;
  for (const head of heads) {
    const { next } = head;
    if (next === undefined) continue;
    const best = first?.next;
    if (best === undefined || next.event.occurredAt < best.event.occurredAt) first = head;
  }
  return first;
}
