import type { RecordState } from '../../../../shared/domain/record/record-state.ts';
import { NewRecords } from './new-records.ts';

/**
 * The current states of the records of one partition, as its owner knows them. Three kinds of entries:
 *
 * - `known`, offset above the projector's position: the overlay proper. Postgres does not have this state yet, so the
 *   entry stays until the projector has passed it.
 * - `known`, offset below: a copy of a state that Postgres has, too. The oldest are dropped when there are too many.
 * - `behind`: an event of another writer, or a failed batch, put the state in doubt. It is read from Postgres again, once
 *   the projector has passed that offset.
 *
 * New records without further changes are dropped soon after Postgres has them.
 * A record without entry has no event above the projector's position, so Postgres has its current state.
 */
export interface RecordCache {
  /** The state to decide on, with `undefined` inside for a record that does not exist. Undefined: call `load` first. */
  peek(key: string): { readonly state: RecordState | undefined } | undefined;
  /** Loads the state, so that `peek` answers it at least until the next turn of the event loop. */
  load(entityType: string, id: string): Promise<void>;
  /** Sets a decided state whose event is on its way to the log. */
  expect(key: string, state: RecordState): void;
  /** Notes the offset of that event. */
  confirm(key: string, state: RecordState, offset: bigint): void;
  /** Puts the record's state in doubt until the projector has passed this offset. */
  distrust(key: string, offset: bigint): void;
  /** Offset of the record's last event, if Postgres may lack it. */
  lastOffset(key: string): bigint | undefined;
  /** Starts again with an empty cache. Reads under way are repeated. */
  clear(): void;
  size(): number;
  /** Number of records that Postgres does not have yet. */
  overlaySize(): number;
}

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
  readonly read: (entityType: string, id: string) => Promise<RecordState | undefined>;
  /** The projector has stored all events below this offset. */
  readonly projected: () => bigint;
  readonly waitProjected: (offset: bigint) => Promise<void>;
  readonly maxEntries: number;
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

/** How many of them Postgres does not have. */
function countMissing(entries: Iterable<Entry>, projected: bigint): number {
  let missing = 0;
  for (const entry of entries) if (!isInPostgres(entry, projected)) missing += 1;
  return missing;
}

/** Drops the oldest entries first. Entries that Postgres does not have stay, whatever the size. */
function evict(
  entries: Map<string, Entry>,
  { maxEntries, projected: readProjected }: RecordCacheDeps,
): void {
  if (entries.size <= maxEntries) return;
  const projected = readProjected();
  let looked = 0;
  for (const [key, entry] of entries) {
    if (entries.size <= maxEntries || looked++ > 100) return;
    if (isInPostgres(entry, projected)) entries.delete(key);
  }
}

export function createRecordCache(deps: RecordCacheDeps): RecordCache {
  const entries = new Map<string, Entry>();
  const created = new NewRecords<Entry>(deps.projected);
  const loading = new Map<string, Promise<void>>();
  let generation = 0;

  const find = (key: string): Entry | undefined => entries.get(key) ?? created.get(key);

  function put(key: string, entry: Entry): void {
    created.delete(key);
    entries.delete(key);
    entries.set(key, entry);
    evict(entries, deps);
  }

  const known: Known = { find, put, generation: () => generation };

  return {
    peek(key) {
      const entry = find(key);
      return isCertain(entry) ? entry : undefined;
    },
    load(entityType, id) {
      const key = recordKey(entityType, id);
      if (isCertain(find(key))) return Promise.resolve();
      const running = loading.get(key);
      if (running !== undefined) return running;
      const started = readThrough(known, deps, { entityType, id }).finally(() =>
        loading.delete(key),
      );
      loading.set(key, started);
      return started;
    },
    expect(key, state) {
      entries.delete(key);
      if (state.version === 1) created.expect(key, { kind: 'expected', state });
      else put(key, { kind: 'expected', state });
    },
    confirm(key, state, offset) {
      // A later event of the same batch may have replaced this state already.
      const entry = find(key);
      if (entry?.kind !== 'expected' || entry.state !== state) return;
      if (created.has(key)) created.confirm(key, { kind: 'known', state, offset }, offset);
      else put(key, { kind: 'known', state, offset });
    },
    distrust: (key, offset) => put(key, { kind: 'behind', offset }),
    lastOffset(key) {
      const entry = find(key);
      return entry === undefined || entry.kind === 'expected' ? undefined : entry.offset;
    },
    clear() {
      entries.clear();
      created.clear();
      generation += 1;
    },
    size: () => entries.size + created.size,
    overlaySize: () =>
      countMissing(entries.values(), deps.projected()) +
      countMissing(created.values(), deps.projected()),
  };
}

interface Known {
  find(key: string): Entry | undefined;
  put(key: string, entry: Entry): void;
  generation(): number;
}

async function readThrough(
  { find, put, generation }: Known,
  deps: RecordCacheDeps,
  { entityType, id }: { readonly entityType: string; readonly id: string },
): Promise<void> {
  const key = recordKey(entityType, id);
  for (;;) {
    const before = find(key);
    const begun = generation();
    if (isCertain(before)) return;
    if (before !== undefined) await deps.waitProjected(before.offset);
    const state = await deps.read(entityType, id);
    // The state was put in doubt again, or the partition taken again, during the read: the result may be too old.
    if (find(key) === before && generation() === begun) {
      put(key, { kind: 'known', state, offset: undefined });
      return;
    }
  }
}
