import { createHash } from 'node:crypto';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { mayMention, mentionedIds } from '../../../shared/domain/stream/mentions.ts';
import { numberOfEvent } from '../../../shared/domain/stream/stream-number.ts';
import { emptyFold, type FoldState } from '../../../shared/events/fold.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { takeMessage } from '../../../shared/events/take-message.ts';
import type { KafkaConnection } from '../../../shared/kafka/connection.ts';
import {
  type PartitionPosition,
  type ReadMessage,
  type ReadOptions,
  readPartitions,
} from '../../../shared/kafka/read-partitions.ts';

/** The expected state of one record. */
export interface ExpectedRecord {
  readonly state: RecordState;
  /** Digests of its events, by version. */
  readonly events: Map<number, string>;
  /** Other records that its events link or unlink, as `id/number/version`. */
  readonly mentions: Set<string>;
}

/** The expected state, up to some offsets, of the records of one slice, and of all other data. */
export interface Expected {
  /** By `Type/id`. */
  readonly records: ReadonlyMap<string, ExpectedRecord>;
  /** Live records by `Type/partition`. */
  readonly counts: ReadonlyMap<string, number>;
  /** The fold's state at the end, by `topic/partition`. */
  readonly folds: ReadonlyMap<string, FoldState>;
  /** Rejected entries, as `topic/partition/offset`. */
  readonly rejected: ReadonlySet<string>;
  readonly events: number;
}

interface SliceDeps {
  readonly kafka: KafkaConnection;
  /** The end offset of each partition. */
  readonly ends: readonly PartitionPosition[];
  readonly model: (entityType: string) => EntityModel | undefined;
  readonly slice: { readonly index: number; readonly of: number };
  readonly onProgress: (messages: number) => void;
}

const bulkRead: ReadOptions = {
  maxWaitMs: 100,
  maxBytes: 16 * 1024 * 1024,
  maxBytesPerPartition: 16 * 1024 * 1024,
};

/**
 * Folds the log event by event. Shares no code with the projector except the fold that tells which entries count.
 */
export async function expectSlice(deps: SliceDeps): Promise<Expected> {
  const slice = new Slice(deps);
  for (const end of deps.ends) {
    let position: PartitionPosition = { ...end, offset: 0n };
    slice.folds.set(`${end.topic}/${end.partition}`, emptyFold);
    while (position.offset < end.offset) {
      const [found] = await readPartitions(deps.kafka, [position], bulkRead);
      if (found === undefined) break;
      const messages = found.messages.filter(({ offset }) => offset < end.offset);
      for (const message of messages) slice.take(message, end);
      position = { ...position, offset: found.nextOffset };
      deps.onProgress(messages.length);
    }
  }
  return slice;
}

/** The slice of a record. */
export function sliceOf(entityType: string, id: string, slices: number): number {
  if (slices === 1) return 0;
  return createHash('md5').update(`${entityType}/${id}`).digest().readUInt32BE(0) % slices;
}

export function digestOf(event: Buffer): string {
  return createHash('md5').update(event).digest('base64');
}

class Slice implements Expected {
  readonly records = new Map<string, ExpectedRecord>();
  readonly counts = new Map<string, number>();
  readonly folds = new Map<string, FoldState>();
  readonly rejected = new Set<string>();
  readonly #deps: SliceDeps;
  /** Version and liveness of all records: records outside the slice are counted, too. */
  readonly #heads = new Map<string, { readonly version: number; readonly deleted: boolean }>();
  events = 0;

  constructor(deps: SliceDeps) {
    this.#deps = deps;
  }

  take(message: ReadMessage, at: PartitionPosition): void {
    const place = `${at.topic}/${at.partition}`;
    const taken = takeMessage(this.folds.get(place) ?? emptyFold, message);
    this.folds.set(place, taken.state);
    if (taken.entry === undefined) {
      if (taken.leftOut !== 'superseded') this.rejected.add(`${place}/${message.offset}`);
      return;
    }
    const { entry } = taken;
    if (entry.kind === 'fence') return;
    if (this.#isPossible(entry.event)) this.#apply(entry.event, message.value, at.partition);
    else this.rejected.add(`${place}/${message.offset}`);
  }

  #isPossible({ entityType, recordId, version }: LoggedEvent): boolean {
    if (this.#deps.model(entityType) === undefined) return true;
    return version === (this.#heads.get(`${entityType}/${recordId}`)?.version ?? 0) + 1;
  }

  #apply(event: LoggedEvent, bytes: Buffer | null, partition: number): void {
    const { entityType, recordId, version } = event;
    const key = `${entityType}/${recordId}`;
    const deleted = event.type === 'Deleted';
    this.events += 1;
    this.#count(`${entityType}/${partition}`, this.#heads.get(key), deleted);
    this.#heads.set(key, { version, deleted });
    const { index, of } = this.#deps.slice;
    if (sliceOf(entityType, recordId, of) !== index) return;
    const known = this.records.get(key);
    const events = known?.events ?? new Map<number, string>();
    events.set(version, digestOf(bytes ?? Buffer.alloc(0)));
    const mentions = known?.mentions ?? new Set<string>();
    const definition = this.#deps.model(entityType)?.definition;
    if (definition !== undefined && mayMention(definition)) {
      const number = numberOfEvent(event, 0);
      for (const id of mentionedIds(event)) mentions.add(`${id}/${number}/${version}`);
    }
    this.records.set(key, { state: evolve(known?.state, event), events, mentions });
  }

  #count(key: string, before: { readonly deleted: boolean } | undefined, deleted: boolean): void {
    const wasLive = before !== undefined && !before.deleted;
    const change = Number(!deleted) - Number(wasLive);
    this.counts.set(key, (this.counts.get(key) ?? 0) + change);
  }
}
