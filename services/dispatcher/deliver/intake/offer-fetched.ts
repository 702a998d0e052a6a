import type {
  PartitionPosition,
  ReadMessage,
  ReadPartition,
} from '../../../../shared/kafka/read-partitions.ts';
import type { Clock } from '../../../../shared/runtime/clock.ts';
import type { OffsetRange, PartitionProgress } from '../progress/partition-progress.ts';

/** Taken, or offered again: after a time, or when there is room. */
export type OfferResult = 'taken' | 'no room' | { readonly waitMs: number };

interface OfferFetchedDeps {
  readonly progress: PartitionProgress;
  readonly range: OffsetRange;
  readonly clock: Clock;
  offer(message: ReadMessage, from: PartitionProgress): OfferResult;
  /** Called when all fetched messages are taken, and the range has further ones. */
  onHungry(): void;
}

/** The fetched messages of one range that are not taken yet. */
export interface FetchedMessages {
  readonly isHungry: boolean;
  /** The position to fetch on from. */
  readonly position: PartitionPosition;
  give(read: ReadPartition): void;
  /** Offers messages again that found no room. */
  resume(): void;
  close(): void;
}

/** Room may also appear when a lane turns out to be slow, which no event announces. */
const LOOK_AGAIN_MS = 250;
/** Node's timers are limited to 2^31 ms. */
const MAX_TIMER_MS = 3_600_000;

export function offerFetched(deps: OfferFetchedDeps): FetchedMessages {
  const { progress, range, clock, offer, onHungry } = deps;
  const { topic, partition } = progress;
  let next = range.from;
  let fetched: readonly ReadMessage[] = [];
  let taken = 0;
  let isBlocked = false;
  let isClosed = false;
  let cancelTimer: () => void = () => undefined;

  function goOn(): void {
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
    if (!isBeyond(next)) onHungry();
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
    cancelTimer = clock.after(Math.min(waitMs, MAX_TIMER_MS), goOn);
  }

  return {
    get isHungry() {
      return fetched.length === 0 && !isBeyond(next);
    },
    get position() {
      return { topic, partition, offset: next };
    },
    give(read) {
      if (isClosed) return;
      next = atMost(read.nextOffset);
      fetched = read.messages.filter(({ offset }) => !isBeyond(offset));
      goOn();
    },
    resume() {
      if (isBlocked) goOn();
    },
    close() {
      isClosed = true;
      cancelTimer();
      fetched = [];
      isBlocked = false;
    },
  };
}
