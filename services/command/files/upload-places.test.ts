import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UploadPlaces } from './upload-places.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function createPlaces() {
  const places = new UploadPlaces({ capacity: 4, maxWaitMs: 30_000 });
  const started: string[] = [];
  const refused: unknown[] = [];
  const releases = new Map<string, () => void>();
  return {
    started,
    refused,
    async upload(userId: string, ...names: readonly string[]) {
      for (const name of names) {
        places.take(userId).then(
          (release) => {
            started.push(name);
            releases.set(name, release);
          },
          (error: unknown) => refused.push(error),
        );
      }
      await vi.advanceTimersByTimeAsync(0);
    },
    async release(name: string) {
      releases.get(name)?.();
      await vi.advanceTimersByTimeAsync(0);
    },
  };
}

it('gives one user at most half of the upload places', async () => {
  const { upload, started } = createPlaces();
  await upload('hostile', 'h1', 'h2', 'h3', 'h4');
  await upload('other', 'o1');
  await upload('third', 't1');
  expect(started).toEqual(['h1', 'h2', 'o1', 't1']);
});

it('gives a free place to the longest-waiting upload of a user below the limit', async () => {
  const { upload, release, started } = createPlaces();
  await upload('a', 'a1', 'a2', 'a3');
  await upload('b', 'b1', 'b2', 'b3');
  await upload('c', 'c1');
  await release('b1');
  expect(started.slice(4)).toEqual(['b3']);
  await release('b1');
  await release('a1');
  expect(started.slice(4)).toEqual(['b3', 'a3']);
  await release('a2');
  expect(started.slice(4)).toEqual(['b3', 'a3', 'c1']);
});

it("rejects a user's 21st waiting upload and uploads that wait too long", async () => {
  const { upload, refused } = createPlaces();
  await upload('a', 'a1', 'a2', 'a3');
  await vi.advanceTimersByTimeAsync(30_000);
  expect(refused).toMatchObject([{ code: 'file.busy', retryAfterSeconds: 5 }]);
  await upload('a', ...Array.from({ length: 21 }, (_, index) => `w${index}`));
  expect(refused).toHaveLength(2);
});
