import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import type { RecordEvent } from '../../../shared/domain/record/record-event.ts';
import { numberOfEvent } from '../../../shared/domain/stream/stream-number.ts';
import type { QueryContext } from '../context.ts';
import { readEvents } from '../history/read-events.ts';
import { type StreamSource, sourceOfChunks } from './merge-sources.ts';
import type { StreamItem, StreamRequest } from './stream-item.ts';
import { type ItemContext, toStreamItems } from './to-stream-items.ts';

/** A record whose events become items. */
export interface SourceRecord {
  readonly model: EntityModel;
  readonly id: string;
  readonly version: number;
  readonly context: ItemContext;
}

export interface EventSourceOptions {
  readonly request: StreamRequest;
  /** The highest possible number of the record's items. */
  readonly bound: number;
  /**
   * Returns the newest events, oldest first, if the events of several records are read together; empty if they did not
   * fit.
   */
  readonly newest?: () => Promise<readonly RecordEvent[]>;
  /** Returns whether the items begin with this event, so that older ones are omitted. */
  readonly isFirst?: (event: RecordEvent) => boolean;
}

const CHUNK = 50;
/** Up to a thousand sources are open at the same time, and each keeps the items of a chunk in memory. */
const CHUNK_BYTES = 64 * 1024;

/** Creates a source of the items for one record's events. Reads chunks on demand. */
export function createEventSource(
  context: QueryContext,
  record: SourceRecord,
  { request, bound, newest, isFirst = () => false }: EventSourceOptions,
): StreamSource {
  /** The highest version that has not been read yet. */
  let upTo = record.version;
  let isPlaced = false;

  async function readChunk(): Promise<readonly RecordEvent[]> {
    if (!isPlaced)
      upTo = await lastVersionBelow(context, { ...record, version: upTo }, request.below);
    isPlaced = true;
    const first = Math.max(upTo - CHUNK + 1, 1);
    const range = { first, last: upTo, from: 'newest', maxBytes: CHUNK_BYTES } as const;
    return readEvents(context, record, range);
  }

  return sourceOfChunks(bound, async () => {
    if (upTo === 0) return undefined;
    const together = upTo === record.version ? await newest?.() : undefined;
    const read = together?.length ? together : await readChunk();
    const first = read.findLastIndex(isFirst);
    const events = read.slice(Math.max(first, 0));
    const [oldest] = events;
    // Older events are also out of range.
    const isEnd = oldest === undefined || first !== -1 || numberOfEvent(oldest, 0) < request.from;
    upTo = isEnd ? 0 : oldest.version - 1;
    return itemsOf(events, record, request);
  });
}

/** Converts events, oldest first, to the items that the request includes, newest first. */
export function itemsOf(
  events: readonly RecordEvent[],
  { context }: SourceRecord,
  { from, below }: EventSourceOptions['request'],
): readonly StreamItem[] {
  return events
    .toReversed()
    .flatMap((event) => toStreamItems(event, context))
    .filter(({ number }) => number >= from && number < below);
}

/**
 * Returns the last version whose items may be below a number; 0 if all versions are above it. Uses a binary search, so
 * that even a page deep in the history of a million versions costs only twenty reads.
 */
async function lastVersionBelow(
  context: QueryContext,
  record: SourceRecord,
  below: number,
): Promise<number> {
  let [low, high] = [0, record.version];
  if (below === Number.POSITIVE_INFINITY || high <= CHUNK) return high;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const [event] = await readEvents(context, record, {
      first: middle,
      last: middle,
      from: 'oldest',
    });
    if (event !== undefined && numberOfEvent(event, 0) < below) low = middle;
    else high = middle - 1;
  }
  return low;
}
