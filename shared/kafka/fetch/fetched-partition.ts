import type { EntryProof } from '../../events/fold.ts';
import type { Gap } from '../whole-partition.ts';
import type { BatchDamaged } from './batch-damaged.ts';

export interface PartitionPosition {
  readonly topic: string;
  readonly partition: number;
  /** The next offset to read. */
  readonly offset: bigint;
}

export interface ReadMessage {
  readonly offset: bigint;
  readonly key: string | null;
  readonly value: Buffer | null;
  /** Timestamp in milliseconds since 1970, by the writer's clock. */
  readonly timestamp: number;
  readonly headers?: Readonly<Record<string, Buffer | undefined>>;
  /** The result of verifying the authentication code. */
  readonly proof: EntryProof;
}

export interface ReadPartition extends PartitionPosition {
  readonly messages: readonly ReadMessage[];
  /** The next offset to read, after all messages and control records of this response. */
  readonly nextOffset: bigint;
  /** Missing offsets before or between the messages. Transactions do not cause gaps. */
  readonly gap?: Gap | undefined;
  /** The leader's replica is damaged at the position. Any messages are from another replica. */
  readonly damage?: BatchDamaged;
}

export interface ReadOptions {
  /** How long the broker waits for the first byte. */
  readonly maxWaitMs: number;
  /** Soft limits: Kafka always returns at least one whole batch. */
  readonly maxBytes: number;
  readonly maxBytesPerPartition: number;
}

export interface FetchedPartition extends ReadPartition {
  readonly highWatermark: bigint;
  /** The end of the readable entries: entries of open transactions come after it. */
  readonly lastStableOffset: bigint;
  /** The number of records, including filtered ones. */
  readonly messageCount: number;
}
