import type { RecordName } from '../../../../shared/db/quarantine.ts';
import type { RecordState } from '../../../../shared/domain/record/record-state.ts';
import { NewRecords } from './new-records.ts';

type Entry =
  | {
      readonly kind: 'known';
      readonly state: RecordState | undefined;
      readonly offset: bigint | undefined;
    }
  | { readonly kind: 'expected'; readonly state: RecordState }
  | { readonly kind: 'behind'; readonly offset: bigint };

interface RecordCacheDeps {
  /** Reads a record from Postgres; undefined if it does not exist. */
  readonly read: (record: RecordName) => Promise<RecordState | undefined>;
  /** The projector has stored all events below this offset. */
  readonly projected: () => bigint;
  readonly waitProjected: (offset: bigint) => Promise<void>;
  readonly maxEntries: number;
}

/**
 * The current states of one partition's records, in the owner's memory. There are three kinds of entries:
 *
 * - `known`, offset above the projector's position: the actual overlay. Postgres does not have this state yet, so the
 *   entry is kept until the projector has passed it.
 * - `known`, offset below: a copy of a state that Postgres also has. The oldest copies are dropped when the limit is
 *   exceeded.
 * - `behind`: an event from another writer, or a failed batch, made the state doubtful. The state is read from Postgres
 *   again once the projector has passed that offset.
 *
 * New records without further changes are dropped soon after Postgres has them. A record without an entry has no event
 * above the projector's position, so Postgres has its current state.
 */
export class RecordCache {
  readonly #deps: RecordCacheDeps;
  readonly #entries = new Map<string, Entry>();
  readonly #created: NewRecords<Entry>;
  readonly #loading = new Map<string, Promise<void>>();
  #generation = 0;

  constructor(deps: RecordCacheDeps) {
    this.#deps = deps;
    this.#created = new NewRecords(deps.projected);
  }

  /**
   * Returns the state for a decision, with `state` undefined if the record does not exist. Returns undefined if `load`
   * must be called first.
   */
  peek(key: string): { readonly state: RecordState | undefined } | undefined {
    const entry = this.#find(key);
    return isCertain(entry) ? entry : undefined;
  }

  /**
   * Loads the state, so that `peek` returns it at least until the next turn of the event loop. `read` replaces the read of
   * the record's row.
   */
  load(entityType: string, id: string, read = this.#deps.read): Promise<void> {
    const key = recordKey(entityType, id);
    if (isCertain(this.#find(key))) return Promise.resolve();
    const running = this.#loading.get(key);
    if (running !== undefined) return running;
    const started = this.#readThrough({ entityType, id }, read).finally(() =>
      this.#loading.delete(key),
    );
    this.#loading.set(key, started);
    return started;
  }

  /** Sets a decided state whose event is on its way to the log. */
  expect(key: string, state: RecordState): void {
    this.#entries.delete(key);
    if (state.version === 1) this.#created.expect(key, { kind: 'expected', state });
    else this.#put(key, { kind: 'expected', state });
  }

  /** Sets the offset of the event that `expect` was called for. */
  confirm(key: string, state: RecordState, offset: bigint): void {
    // A later event of the same batch may have replaced this state already.
    const entry = this.#find(key);
    if (entry?.kind !== 'expected' || entry.state !== state) return;
    const known: Entry = { kind: 'known', state, offset };
    if (this.#created.has(key)) this.#created.confirm(key, known, offset);
    else this.#put(key, known);
  }

  /** Marks the record's state as doubtful until the projector has passed this offset. */
  distrust(key: string, offset: bigint): void {
    this.#put(key, { kind: 'behind', offset });
  }

  /** Offset of the record's last event, if Postgres may lack it. */
  lastOffset(key: string): bigint | undefined {
    const entry = this.#find(key);
    return entry === undefined || entry.kind === 'expected' ? undefined : entry.offset;
  }

  /** Clears the cache. Reads that are in progress are repeated. */
  clear(): void {
    this.#entries.clear();
    this.#created.clear();
    this.#generation += 1;
  }

  size(): number {
    return this.#entries.size + this.#created.size;
  }

  /** Returns the number of records that Postgres does not have yet. */
  overlaySize(): number {
    const projected = this.#deps.projected();
    return (
      countMissing(this.#entries.values(), projected) +
      countMissing(this.#created.values(), projected)
    );
  }

  #find(key: string): Entry | undefined {
    return this.#entries.get(key) ?? this.#created.get(key);
  }

  #put(key: string, entry: Entry): void {
    this.#created.delete(key);
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    this.#evict();
  }

  /** Drops the oldest entries first. Entries that Postgres does not have are kept, regardless of their number. */
  #evict(): void {
    const { maxEntries } = this.#deps;
    if (this.#entries.size <= maxEntries) return;
    const projected = this.#deps.projected();
    let looked = 0;
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= maxEntries || looked++ > 100) return;
      if (isInPostgres(entry, projected)) this.#entries.delete(key);
    }
  }

  async #readThrough(record: RecordName, read: RecordCacheDeps['read']): Promise<void> {
    const { waitProjected } = this.#deps;
    const key = recordKey(record.entityType, record.id);
    for (;;) {
      const before = this.#find(key);
      const begun = this.#generation;
      if (isCertain(before)) return;
      if (before !== undefined) await waitProjected(before.offset);
      const state = await read(record);
      // If the state became doubtful or the partition was acquired again during the read, the result may be too old.
      if (this.#find(key) === before && this.#generation === begun) {
        this.#put(key, { kind: 'known', state, offset: undefined });
        return;
      }
    }
  }
}

export function recordKey(entityType: string, id: string): string {
  return `${entityType}/${id}`;
}

function isCertain(entry: Entry | undefined): entry is Exclude<Entry, { kind: 'behind' }> {
  return entry !== undefined && entry.kind !== 'behind';
}

function isInPostgres(entry: Entry, projected: bigint): boolean {
  return entry.kind !== 'expected' && (entry.offset ?? -1n) < projected;
}

/** Counts the entries that Postgres does not have. */
function countMissing(entries: Iterable<Entry>, projected: bigint): number {
  let missing = 0;
  for (const entry of entries) if (!isInPostgres(entry, projected)) missing += 1;
  return missing;
}
