import { Unavailable } from '../../../shared/domain/errors.ts';

interface PlacesOptions {
  readonly capacity: number;
  /** Maximum time that an upload waits for a place. */
  readonly maxWaitMs: number;
}

interface WaitingUpload {
  readonly userId: string;
  readonly start: () => void;
}

/** Maximum number of waiting uploads per user. Further ones are rejected immediately. */
const MAX_WAITING = 20;
const RETRY_AFTER_SECONDS = 5;

/**
 * Limits concurrent large uploads, because reading an upload takes several times its size in memory. A user gets at
 * most half of the places. A free place goes to the longest-waiting upload of a user below that share.
 */
export class UploadPlaces {
  readonly #options: PlacesOptions;
  readonly #share: number;
  readonly #takenBy = new Map<string, number>();
  readonly #waiting = new Set<WaitingUpload>();
  #taken = 0;

  constructor(options: PlacesOptions) {
    this.#options = options;
    this.#share = Math.max(1, Math.floor(options.capacity / 2));
  }

  /** Waits for a place and returns the function that releases it. Throws Unavailable if no place becomes free in time. */
  async take(userId: string): Promise<() => void> {
    if (this.#hasRoomFor(userId)) return this.#start(userId);
    const ofUser = [...this.#waiting].filter((upload) => upload.userId === userId);
    if (ofUser.length >= MAX_WAITING) throw busy();
    const { promise, resolve, reject } = Promise.withResolvers<() => void>();
    const timer = setTimeout(() => {
      this.#waiting.delete(upload);
      reject(busy());
    }, this.#options.maxWaitMs);
    const upload: WaitingUpload = {
      userId,
      start: () => {
        clearTimeout(timer);
        this.#waiting.delete(upload);
        resolve(this.#start(userId));
      },
    };
    this.#waiting.add(upload);
    return promise;
  }

  #hasRoomFor(userId: string): boolean {
    return this.#taken < this.#options.capacity && this.#countOf(userId) < this.#share;
  }

  #countOf(userId: string): number {
    return this.#takenBy.get(userId) ?? 0;
  }

  #start(userId: string): () => void {
    this.#taken += 1;
    this.#takenBy.set(userId, this.#countOf(userId) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      this.#taken -= 1;
      const left = this.#countOf(userId) - 1;
      if (left === 0) this.#takenBy.delete(userId);
      else this.#takenBy.set(userId, left);
      const next = [...this.#waiting].find((upload) => this.#hasRoomFor(upload.userId));
      next?.start();
    };
  }
}

function busy(): Unavailable {
  return new Unavailable(
    'Too many large files are being uploaded. Try again in a moment, with fewer uploads at a time.',
    { code: 'file.busy', retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
