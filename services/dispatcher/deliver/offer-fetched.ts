import type {
  PartitionPosition,
  ReadMessage,
  ReadPartition,
} from '../../../shared/kafka/read-partitions.ts';
import type { PartitionProgress } from './partition-progress.ts';

/** Taken, or to be offered again: after so many milliseconds, or when there is room. */
export type Reception = 'taken' | 'no room' | { readonly waitMs: number };

interface OfferFetchedDeps {
  readonly progress: PartitionProgress;
  offer(message: ReadMessage, from: PartitionProgress): Reception;
  /** All that was fetched is taken. */
  onHungry(): void;
}

/** What was fetched of one partition and is not taken yet. */
export interface FetchedMessages {
  readonly isHungry: boolean;
  /** Where to fetch on. */
  readonly position: PartitionPosition;
  give(read: ReadPartition): void;
  /** Offers again what found no room. */
  resume(): void;
  close(): void;
}

/** Room may also come from a lane that turns out to be slow, which nobody announces. */
const LOOK_AGAIN_MS = 250;
/** Node cannot count further than 2^31 ms. */
const MAX_TIMER_MS = 3_600_000;

export function offerFetched({ progress, offer, onHungry }: OfferFetchedDeps): FetchedMessages {
  const { topic, partition } = progress;
  let next = progress.start;
  let fetched: readonly ReadMessage[] = [];
  let taken = 0;
  let isBlocked = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function goOn(): void {
    clearTimeout(timer);
    isBlocked = false;
    for (let message = fetched[taken]; message !== undefined; message = fetched[taken]) {
      const reception = offer(message, progress);
      if (reception !== 'taken') {
        waitWith(reception);
        return;
      }
      taken += 1;
    }
    progress.passTo(next);
    fetched = [];
    taken = 0;
    onHungry();
  }

  function waitWith(reception: Exclude<Reception, 'taken'>): void {
    isBlocked = reception === 'no room';
    const waitMs = reception === 'no room' ? LOOK_AGAIN_MS : reception.waitMs;
    timer = setTimeout(goOn, Math.min(waitMs, MAX_TIMER_MS));
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
      clearTimeout(timer);
      fetched = [];
      isBlocked = false;
    },
  };
}
