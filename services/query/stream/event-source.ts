import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { numberOfEvent } from '../../../shared/domain/stream/stream-number.ts';
import { readEvents } from '../search/history/read-events.ts';
import type { SearchDeps } from '../search/rows/finish-rows.ts';
import { type StreamSource, sourceOfChunks } from './merge-sources.ts';
import type { StreamItem, StreamRequest } from './stream-item.ts';
import { type ItemContext, toStreamItems } from './to-stream-items.ts';

/** A record whose events become items. */
export interface ToldRecord {
  readonly model: EntityModel;
  readonly id: string;
  readonly version: number;
  readonly context: ItemContext;
}

interface EventSourceOptions {
  readonly request: Pick<StreamRequest, 'from' | 'below'>;
  /** No item of the record has a higher number. */
  readonly bound: number;
  /** The newest events, oldest first, if those of several records are read together; empty if they did not fit. */
  readonly newest?: () => Promise<readonly RecordEvent[]>;
}

const CHUNK = 50;
/** Up to a thousand sources are open at the same time, each with the items of a chunk. */
const CHUNK_BYTES = 64 * 1024;

/** The items of one record's events, read in chunks as they are needed. */
export function createEventSource(
  deps: SearchDeps,
  record: ToldRecord,
  { request, bound, newest }: EventSourceOptions,
): StreamSource {
  /** The highest version that was not read yet. */
  let upTo = record.version;
  let isPlaced = false;

  async function readChunk(): Promise<readonly RecordEvent[]> {
    if (!isPlaced) upTo = await lastVersionBelow(deps, { ...record, version: upTo }, request.below);
    isPlaced = true;
    const first = Math.max(upTo - CHUNK + 1, 1);
    const range = { first, last: upTo, from: 'newest', maxBytes: CHUNK_BYTES } as const;
    return readEvents(deps, record, range);
  }

  return sourceOfChunks(bound, async () => {
    if (upTo === 0) return undefined;
    const together = upTo === record.version ? await newest?.() : undefined;
    const events = together?.length ? together : await readChunk();
    const [oldest] = events;
    // Older events are out of range, too.
    const isEnd = oldest === undefined || numberOfEvent(oldest, 0) < request.from;
    upTo = isEnd ? 0 : oldest.version - 1;
    return itemsOf(events, record, request);
  });
}

/** The items of events, which come oldest first, as far as a request asks for them, newest first. */
export function itemsOf(
  events: readonly RecordEvent[],
  { context }: ToldRecord,
  { from, below }: EventSourceOptions['request'],
): readonly StreamItem[] {
  return events
    .toReversed()
    .flatMap((event) => toStreamItems(event, context))
    .filter(({ number }) => number >= from && number < below);
}

/**
 * The last version whose items may be below a number, by binary search: a page far down in a record of a million
 * versions costs twenty reads. 0 if there is none.
 */
async function lastVersionBelow(
  deps: SearchDeps,
  record: ToldRecord,
  below: number,
): Promise<number> {
  let [low, high] = [0, record.version];
  if (below === Number.POSITIVE_INFINITY || high <= CHUNK) return high;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [event] = await readEvents(deps, record, { first: middle, last: middle, from: 'oldest' });
    if (event !== undefined && numberOfEvent(event, 0) < below) low = middle;
    else high = middle - 1;
  }
  return low;
}
