import { createHash } from 'node:crypto';
import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { UnreadableMessage } from '../../../shared/domain/errors.ts';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { mayMention, mentionedIds } from '../../../shared/domain/stream/mentions.ts';
import { numberOfEvent } from '../../../shared/domain/stream/stream-number.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import type { PartitionPosition, ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import type { RecordFilter } from './buckets.ts';
import { liveChange } from './digest-log.ts';
import { foldLog, type LogSource } from './fold-log.ts';

/** The expected state of one record. */
export interface ExpectedRecord {
  readonly state: RecordState;
  /** Digests of its events, by version. */
  readonly events: Map<number, string>;
  /** Other records that its events link or unlink, as `id/number/version`. */
  readonly mentions: Set<string>;
}

export interface QuarantinedRecord {
  readonly entityType: string;
  readonly id: string;
  /** Places of its entries that no table took. */
  readonly entries: readonly string[];
}

/** The expected state, up to some offsets, of the records of some buckets. */
export interface ExpectedRecords {
  /** By `Type/id`. */
  readonly records: ReadonlyMap<string, ExpectedRecord>;
  /** Events that the fold takes, but no table: their version is not the next of their record. */
  readonly impossible: ReadonlySet<string>;
  /** By `Type/id`. */
  readonly quarantined: ReadonlyMap<string, QuarantinedRecord>;
  /** What impossible events and quarantined records leave to correct in `counts` of the digest, by `Type/partition`. */
  readonly corrections: ReadonlyMap<string, number>;
}

interface RecordsDeps extends LogSource {
  readonly model: (entityType: string) => EntityModel | undefined;
  readonly records: RecordFilter;
  /** Events of these records from before the part of the log that is read. */
  readonly base?: AsyncIterable<readonly EarlierEvent[]>;
  /** Places of entries that the database has as rejected. */
  readonly rejected: ReadonlySet<string>;
}

export interface EarlierEvent {
  readonly event: LoggedEvent;
  readonly bytes: Buffer;
}

/**
 * Folds the log event by event. Shares no code with the projector except the fold that decides which entries count.
 */
export async function expectRecords(deps: RecordsDeps): Promise<ExpectedRecords> {
  const expected = new Records(deps);
  for await (const events of deps.base ?? [])
    for (const { event, bytes } of events) expected.apply(event, bytes);
  await foldLog(deps, ({ entry }, message, at) => {
    if (entry?.kind === 'event') expected.take(entry.event, message, at);
  });
  return expected;
}

export function digestOf(event: Buffer): string {
  return createHash('md5').update(event).digest('base64');
}

/** Undefined for bytes that are not an event. */
export function decodeEvent(bytes: Buffer): LoggedEvent | undefined {
  try {
    const entry = decodeLogEntry(bytes);
    return entry.kind === 'event' ? entry.event : undefined;
  } catch (error) {
    if (error instanceof UnreadableMessage) return undefined;
    throw error;
  }
}

class Records implements ExpectedRecords {
  readonly records = new Map<string, ExpectedRecord>();
  readonly impossible = new Set<string>();
  readonly quarantined = new Map<string, { entityType: string; id: string; entries: string[] }>();
  readonly corrections = new Map<string, number>();
  readonly #deps: RecordsDeps;

  constructor(deps: RecordsDeps) {
    this.#deps = deps;
  }

  take(event: LoggedEvent, { offset, value }: ReadMessage, at: PartitionPosition): void {
    const { entityType, recordId } = event;
    if (!this.#deps.records.has(entityType, recordId)) return;
    const key = `${entityType}/${recordId}`;
    const place = `${at.topic}/${at.partition}/${offset}`;
    const known = this.records.get(key);
    const count = `${entityType}/${at.partition}`;
    if (!this.#isNext(event, known)) {
      this.impossible.add(place);
      this.#correct(count, -liveChange(event));
      return;
    }
    const isRejected = this.#deps.rejected.has(place);
    this.apply(event, value ?? Buffer.alloc(0), isRejected);
    if (isRejected) {
      // The row left its table, and was no longer counted.
      if (!this.quarantined.has(key)) this.#correct(count, -Number(known?.state.deleted === false));
      this.#correct(count, -liveChange(event));
      this.#quarantine(event, place);
    }
  }

  #correct(count: string, change: number): void {
    this.corrections.set(count, (this.corrections.get(count) ?? 0) + change);
  }

  #quarantine({ entityType, recordId: id }: LoggedEvent, place: string): void {
    const key = `${entityType}/${id}`;
    const known = this.quarantined.get(key) ?? { entityType, id, entries: [] };
    known.entries.push(place);
    this.quarantined.set(key, known);
  }

  #isNext({ entityType, version }: LoggedEvent, known?: ExpectedRecord): boolean {
    return (
      this.#deps.model(entityType) === undefined || version === (known?.state.version ?? 0) + 1
    );
  }

  /** A rejected event is in the history, and no stream mentions it. */
  apply(event: LoggedEvent, bytes: Buffer, isRejected = false): void {
    const { entityType, recordId, version } = event;
    const key = `${entityType}/${recordId}`;
    const known = this.records.get(key);
    const events = known?.events ?? new Map<number, string>();
    events.set(version, digestOf(bytes));
    const mentions = known?.mentions ?? new Set<string>();
    const definition = this.#deps.model(entityType)?.definition;
    if (!isRejected && definition !== undefined && mayMention(definition)) {
      const number = numberOfEvent(event, 0);
      for (const id of mentionedIds(event)) mentions.add(`${id}/${number}/${version}`);
    }
    const state = evolve(known?.state, event);
    this.records.set(key, { state, events, mentions });
  }
}
