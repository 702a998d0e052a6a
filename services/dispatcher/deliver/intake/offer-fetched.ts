import type {
  PartitionPosition,
  ReadMessage,
  ReadPartition,
} from '../../../../shared/kafka/read-partitions.ts';
import type { Clock } from '../../../../shared/runtime/clock.ts';
import type { PartitionProgress } from '../progress/partition-progress.ts';

/** Taken, or offered again: after a time, or when there is room. */
export type OfferResult = 'taken' | 'no room' | { readonly waitMs: number };

interface OfferFetchedDeps {
  readonly progress: PartitionProgress;
  readonly clock: Clock;
  offer(message: ReadMessage, from: PartitionProgress): OfferResult;
  /** Called when all fetched messages are taken. */
  onHungry(): void;
}

/** The fetched messages of one partition that are not taken yet. */
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
  const { progress, clock, offer, onHungry } = deps;
  const { topic, partition } = progress;
  let next = progress.start;
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
    onHungry();
  }

  function waitWith(result: Exclude<OfferResult, 'taken'>): void {
    isBlocked = result === 'no room';
    const waitMs = result === 'no room' ? LOOK_AGAIN_MS : result.waitMs;
    cancelTimer = clock.after(Math.min(waitMs, MAX_TIMER_MS), goOn);
  }

  return {
    get isHungry() {
      return fetched.length === 0;
    },
    get position() {
      return { topic, partition, offset: next };
    },
    give(read) {
      if (isClosed) return;
      next = read.nextOffset;
      fetched = read.messages;
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
