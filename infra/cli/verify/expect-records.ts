import { createHash } from 'node:crypto';
import { UnreadableMessage } from '../../../shared/domain/errors.ts';
import { evolve } from '../../../shared/domain/record/evolve.ts';
import type { RecordState } from '../../../shared/domain/record/record-state.ts';
import { mentionedIds } from '../../../shared/domain/stream/mentions.ts';
import { numberOfEvent } from '../../../shared/domain/stream/stream-number.ts';
import type { LoggedEvent } from '../../../shared/events/log-entry.ts';
import { decodeLogEntry } from '../../../shared/events/log-entry-codec.ts';
import type { PartitionPosition, ReadMessage } from '../../../shared/kafka/read-partitions.ts';
import type { RecordFilter } from './buckets.ts';
import { foldLog, liveChange } from './fold-log.ts';
import type { QuarantinedRecord, Rejected } from './load-rejected.ts';
import type { Verification } from './verification.ts';

/** The expected state of one record. */
interface ExpectedRecord {
  readonly state: RecordState;
  /** The digests of the record's events, by version. */
  readonly events: Map<number, string>;
  /** The other records that the record's events link or unlink, as `id/number/version`. */
  readonly mentions: Set<string>;
  /** The versions that the history may lack because the record is quarantined. A quarantined record has no row. */
  readonly held: Set<number>;
}

/** The expected state of the records that a filter selects, at the end of the folded part of the log. */
export interface ExpectedRecords {
  /** By `Type/id`. */
  readonly records: ReadonlyMap<string, ExpectedRecord>;
  /**
   * Events that the fold accepts but the tables reject, because their version is not the next version of their record.
   */
  readonly impossible: ReadonlySet<string>;
  /** The entries of quarantined records from the first one that the tables rejected, as `topic/partition/offset`. */
  readonly held: ReadonlySet<string>;
  readonly quarantined: readonly QuarantinedRecord[];
  /** Corrections to the digest's `counts` for quarantined records and impossible events, by `Type/partition`. */
  readonly corrections: ReadonlyMap<string, number>;
}

export interface EarlierEvent {
  readonly event: LoggedEvent;
  readonly bytes: Buffer;
}

/**
 * Folds the log event by event. Shares no code with the projector except the fold that determines which entries are
 * valid. `base`: the events of these records that precede the part of the log that is read.
 */
export async function expectRecords(
  verification: Verification,
  records: RecordFilter,
  base?: AsyncIterable<readonly EarlierEvent[]>,
): Promise<ExpectedRecords> {
  const expected = new Records(verification, records);
  for await (const events of base ?? [])
    for (const { event, bytes } of events) expected.apply(event, bytes);
  await foldLog(verification, (event, message, at) => expected.take(event, message, at));
  expected.finish();
  return expected;
}

export function digestOf(event: Buffer): string {
  return createHash('md5').update(event).digest('base64');
}

/** Returns undefined for bytes that are not an event. */
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
  readonly held = new Set<string>();
  readonly quarantined: QuarantinedRecord[] = [];
  readonly corrections = new Map<string, number>();
  readonly #model: Verification['model'];
  readonly #quarantined: Rejected['quarantined'];
  readonly #filter: RecordFilter;
  /** The keys in `counts` for quarantined records, by `Type/id`. */
  readonly #counts = new Map<string, string>();

  constructor({ model, rejected }: Verification, filter: RecordFilter) {
    this.#model = model;
    this.#quarantined = rejected.quarantined;
    this.#filter = filter;
  }

  take(event: LoggedEvent, { offset, value }: ReadMessage, at: PartitionPosition): void {
    const { entityType, recordId, version } = event;
    if (!this.#filter.has(entityType, recordId)) return;
    const key = `${entityType}/${recordId}`;
    const count = `${entityType}/${at.partition}`;
    const place = `${at.topic}/${at.partition}/${offset}`;
    if (!this.#isNext(event)) {
      this.impossible.add(place);
      this.#correct(count, -liveChange(event));
      return;
    }
    const record = this.apply(event, value ?? Buffer.alloc(0));
    const quarantined = this.#quarantined.get(key);
    if (quarantined === undefined) return;
    this.#counts.set(key, count);
    if (record.held.size === 0 && !quarantined.entries.includes(place)) return;
    record.held.add(version);
    this.held.add(place);
  }

  /** Applies the next event of a record. */
  apply(event: LoggedEvent, bytes: Buffer): ExpectedRecord {
    const { entityType, recordId, version } = event;
    const key = `${entityType}/${recordId}`;
    const known = this.records.get(key);
    const events = known?.events ?? new Map<number, string>();
    events.set(version, digestOf(bytes));
    const mentions = known?.mentions ?? new Set<string>();
    const definition = this.#model(entityType)?.definition;
    if (definition !== undefined) {
      const number = numberOfEvent(event, 0);
      for (const id of mentionedIds(event, definition)) mentions.add(`${id}/${number}/${version}`);
    }
    const state = evolve(known?.state, event);
    const record = { state, events, mentions, held: known?.held ?? new Set<number>() };
    this.records.set(key, record);
    return record;
  }

  /** Excludes quarantined records from the counts. */
  finish(): void {
    for (const [key, count] of this.#counts) {
      const [record, quarantined] = [this.records.get(key), this.#quarantined.get(key)];
      if (record === undefined || quarantined === undefined) continue;
      this.quarantined.push(quarantined);
      if (!record.state.deleted) this.#correct(count, -1);
    }
  }

  #isNext({ entityType, recordId, version }: LoggedEvent): boolean {
    if (this.#model(entityType) === undefined) return true;
    const known = this.records.get(`${entityType}/${recordId}`);
    return version === (known?.state.version ?? 0) + 1;
  }

  #correct(count: string, change: number): void {
    this.corrections.set(count, (this.corrections.get(count) ?? 0) + change);
  }
}
