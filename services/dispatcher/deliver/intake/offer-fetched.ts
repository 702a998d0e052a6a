import type {
  PartitionPosition,
  ReadMessage,
  ReadPartition,
} from '../../../../shared/kafka/read-partitions.ts';
import type { Clock } from '../../../../shared/runtime/clock.ts';
import type { OffsetRange, PartitionProgress } from '../progress/partition-progress.ts';

/** `taken`, or when to offer the message again: when there is room, or after a time. */
export type OfferResult = 'taken' | 'no room' | { readonly waitMs: number };

interface OfferFetchedDeps {
  readonly progress: PartitionProgress;
  readonly range: OffsetRange;
  readonly clock: Clock;
  offer(message: ReadMessage, from: PartitionProgress): OfferResult;
  /** Called when all fetched messages are taken, and the range may have further ones. */
  onDrained(): void;
}

/** The fetched messages of one range that are not taken yet. */
export interface FetchedMessages {
  /** All fetched messages are taken, and the range may have further ones. */
  readonly isDrained: boolean;
  /** The position of the next fetch. */
  readonly position: PartitionPosition;
  /** Offers the messages of a fetch. */
  accept(read: ReadPartition): void;
  /** Offers the next message again if it did not get room. */
  resume(): void;
  close(): void;
}

/** A lane that becomes slow also makes room, but causes no event. */
const LOOK_AGAIN_MS = 250;
/** Node's timers are limited to 2^31 ms. */
const MAX_TIMER_MS = 3_600_000;

export function offerFetched(deps: OfferFetchedDeps): FetchedMessages {
  const { progress, range, clock, offer, onDrained } = deps;
  const { topic, partition } = progress;
  let next = range.from;
  let fetched: readonly ReadMessage[] = [];
  let taken = 0;
  let isBlocked = false;
  let isClosed = false;
  let cancelTimer: () => void = () => undefined;

  function offerNext(): void {
    cancelTimer();
    isBlocked = false;
    for (let message = fetched[taken]; message !== undefined; message = fetched[taken]) {
      const result = offer(message, progress);
      if (result !== 'taken') {
        waitWith(result);
        return;
      }
      taken += 1;
    }
    progress.passTo(next);
    fetched = [];
    taken = 0;
    if (!isBeyond(next)) onDrained();
  }

  function isBeyond(offset: bigint): boolean {
    return range.to !== undefined && offset >= range.to;
  }

  function atMost(offset: bigint): bigint {
    return range.to !== undefined && offset > range.to ? range.to : offset;
  }

  function waitWith(result: Exclude<OfferResult, 'taken'>): void {
    isBlocked = result === 'no room';
    const waitMs = result === 'no room' ? LOOK_AGAIN_MS : result.waitMs;
    cancelTimer = clock.after(Math.min(waitMs, MAX_TIMER_MS), offerNext);
  }

  return {
    get isDrained() {
      return fetched.length === 0 && !isBeyond(next);
    },
    get position() {
      return { topic, partition, offset: next };
    },
    accept(read) {
      if (isClosed) return;
      next = atMost(read.nextOffset);
      fetched = read.messages.filter(({ offset }) => !isBeyond(offset));
      offerNext();
    },
    resume() {
      if (isBlocked) offerNext();
    },
    close() {
      isClosed = true;
      cancelTimer();
      fetched = [];
      isBlocked = false;
    },
  };
}
