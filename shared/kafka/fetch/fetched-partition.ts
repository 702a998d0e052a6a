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
  /** The verdict on its authentication code. */
  readonly proof: EntryProof;
}

export interface ReadPartition extends PartitionPosition {
  readonly messages: readonly ReadMessage[];
  /** The next offset to read, after all messages and control records of this answer. */
  readonly nextOffset: bigint;
  /** Offsets before or between the messages that Kafka does not have; transactions leave none. */
  readonly gap?: Gap | undefined;
  /** The leader's copy is damaged at the position. Messages, if there are any, are from another replica. */
  readonly damage?: BatchDamaged;
}

export interface ReadOptions {
  /** How long the broker waits for the first byte. */
  readonly maxWaitMs: number;
  /** Soft limits: Kafka always answers at least one whole batch. */
  readonly maxBytes: number;
  readonly maxBytesPerPartition: number;
}

export interface FetchedPartition extends ReadPartition {
  readonly highWatermark: bigint;
  /** The end of what can be read: entries of open transactions lie behind it. */
  readonly lastStableOffset: bigint;
  /** Number of records, those that are filtered out included. */
  readonly messageCount: number;
}
