import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Unavailable } from '../domain/errors.ts';
import { SearchTurns } from './search-turns.ts';

const maxWaitMs = 5_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns searches by name; `started` lists them in the order in which they started. */
function createSearches(capacity: number, waitMs = maxWaitMs, slowAfterMs = 250) {
  const turns = new SearchTurns({
    capacity,
    maxWaitMs: waitMs,
    slowAfterMs,
    now: () => Date.now(),
  });
  const started: string[] = [];
  const refused: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    turns,
    started,
    refused,
    async search(userId: string, ...names: readonly string[]) {
      for (const name of names) {
        turns.take(userId).then(
          (end) => {
            started.push(name);
            ends.set(name, end);
          },
          (error: unknown) => {
            expect(error).toBeInstanceOf(Unavailable);
            expect(error).toMatchObject({ code: 'search.busy', retryAfterSeconds: 2 });
            refused.push(name);
          },
        );
      }
      await settle();
    },
    async end(...names: readonly string[]) {
      for (const name of names) ends.get(name)?.();
      await settle();
    },
  };
}

async function settle(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}

describe('SearchTurns', () => {
  it('starts searches immediately with at most half of the capacity for one user', async () => {
    const { search, started } = createSearches(4);
    await search('greedy', 'g1', 'g2', 'g3', 'g4');
    expect(started).toEqual(['g1', 'g2']);
    await search('other', 'o1');
    await search('third', 't1');
    expect(started).toEqual(['g1', 'g2', 'o1', 't1']);
  });

  it('alternates between users regardless of how many searches by one user wait', async () => {
    const { search, end, started } = createSearches(2);
    await search('greedy', 'g1', 'g2', 'g3', 'g4');
    await search('other', 'o1', 'o2');
    await search('third', 't1');
    await end('g1');
    await end('o1');
    await end('g2');
    await end('t1');
    // g4 waits for g3 of the same user.
    await end('o2');
    expect(started).toEqual(['g1', 'o1', 'g2', 'o2', 't1', 'g3']);
  });

  it('limits a user temporarily to one search at a time after slow searches', async () => {
    const { search, end, started } = createSearches(4);
    await search('slow', 's1', 's2', 's3', 's4', 's5');
    await vi.advanceTimersByTimeAsync(1_000);
    await end('s1', 's2');
    expect(started).toEqual(['s1', 's2', 's3']);
    await end('s3');
    expect(started).toEqual(['s1', 's2', 's3', 's4']);
    await vi.advanceTimersByTimeAsync(240);
    await end('s4');
    await vi.advanceTimersByTimeAsync(4_000);
    await end('s5');
    await search('slow', 'later1', 'later2');
    expect(started.slice(-2)).toEqual(['s5', 'later1']);
    await end('later1');
    await end('later2');
    await vi.advanceTimersByTimeAsync(20_000);
    await search('slow', 'free1', 'free2');
    expect(started.slice(-2)).toEqual(['free1', 'free2']);
  });

  it('rejects searches that wait too long and keeps no state for them', async () => {
    const { search, end, started, refused, turns } = createSearches(1);
    await search('greedy', 'g1', 'g2');
    await search('other', 'o1');
    expect(turns.waitingCount).toBe(2);
    await vi.advanceTimersByTimeAsync(maxWaitMs);
    expect(refused).toEqual(['g2', 'o1']);
    expect(turns.waitingCount).toBe(0);
    await end('g1');
    await search('other', 'o2');
    expect(started).toEqual(['g1', 'o2']);
  });

  it('immediately rejects searches only for a user with 1,000 waiting searches', async () => {
    const { search, started, refused } = createSearches(2);
    await search('greedy', ...Array.from({ length: 1_002 }, (_, index) => `g${index}`));
    expect(refused).toEqual(['g1001']);
    await search('other', 'o1');
    expect(started).toEqual(['g0', 'o1']);
  });

  it('waits at most five seconds behind very slow searches by the same user', async () => {
    const { search, end, started, refused } = createSearches(2, 30_000);
    await search('hung', 'h1', 'h2');
    await search('quick', 'q1', 'q2');
    await vi.advanceTimersByTimeAsync(4_900);
    await end('q1');
    await vi.advanceTimersByTimeAsync(100);
    expect(refused).toEqual(['h2']);
    await search('other', 'o1', 'o2');
    expect(started).toEqual(['h1', 'q1', 'q2']);
    await end('q2');
    for (let second = 0; second < 12; second += 1) {
      await search('quick', `r${second}`);
      await vi.advanceTimersByTimeAsync(500);
      await end(...started.slice(3));
    }
    expect(refused).toEqual(['h2']);
  });

  it('waits up to the limit behind long work such as exports', async () => {
    const { search, end, started, refused } = createSearches(2, 30_000, Number.POSITIVE_INFINITY);
    await search('u', 'u1', 'u2');
    await vi.advanceTimersByTimeAsync(20_000);
    expect(refused).toEqual([]);
    await end('u1');
    expect(started).toEqual(['u1', 'u2']);
  });

  it('limits the total number of waiting searches by all users', async () => {
    const { search, turns, refused } = createSearches(2);
    for (const user of ['a', 'b', 'c', 'd', 'e', 'f']) {
      await search(user, ...Array.from({ length: 1_000 }, (_, index) => `${user}${index}`));
    }
    expect(turns.waitingCount).toBe(5_000);
    expect(refused).toHaveLength(998);
  });

  it('prefers the user who has consumed the least time', async () => {
    const { search, end, started } = createSearches(2);
    await search('slow', 's1', 's2');
    await search('quick', 'q1', 'q2', 'q3');
    await search('third', 't1');
    await vi.advanceTimersByTimeAsync(10);
    await end('q1');
    expect(started).toEqual(['s1', 'q1', 't1']);
    await vi.advanceTimersByTimeAsync(200);
    await end('t1');
    expect(started.at(-1)).toBe('q2');
    await end('q2');
    await end('s1');
    expect(started.slice(4)).toEqual(['q3', 's2']);
  });

  it('does not credit users for time without searches', async () => {
    const { search, end, started } = createSearches(1);
    await search('steady', 'a1');
    await vi.advanceTimersByTimeAsync(100);
    await search('steady', 'a2');
    await end('a1');
    await search('new', 'n1', 'n2', 'n3');
    await search('steady', 'a3');
    await vi.advanceTimersByTimeAsync(100);
    await end('a2');
    await vi.advanceTimersByTimeAsync(150);
    await end('n1');
    await end('a3');
    expect(started).toEqual(['a1', 'a2', 'n1', 'a3', 'n2']);
  });

  it('skips a search when its client has disconnected', async () => {
    const { turns } = createSearches(1);
    const end = await turns.take('user');
    let isGone = false;
    const gone = turns.take('user', () => isGone);
    const waiting = turns.take('user');
    isGone = true;
    end();
    await expect(gone).rejects.toMatchObject({ code: 'search.busy' });
    (await waiting)();
    expect(turns.waitingCount).toBe(0);
  });

  it('serves all 200 searches by one user without delaying others noticeably', async () => {
    const { search, end, started, refused } = createSearches(4, 30_000);
    const abuse = Array.from({ length: 200 }, (_, index) => `g${index}`);
    await search('greedy', ...abuse);
    const delays: number[] = [];
    const users = ['a', 'b', 'c', 'd', 'e'];
    for (let round = 0; !abuse.every((name) => started.includes(name)); round += 1) {
      const names = users.map((user) => `${user}${round}`);
      for (const [index, user] of users.entries()) await search(user, names[index] ?? '');
      for (let steps = 0; !names.every((name) => started.includes(name)); steps += 1) {
        delays.push(steps);
        await vi.advanceTimersByTimeAsync(20);
        await end(...started);
      }
      await vi.advanceTimersByTimeAsync(20);
      await end(...started);
    }
    expect(refused).toEqual([]);
    expect(started).toEqual(expect.arrayContaining(abuse));
    // Without the heavy user, the searches take two steps: five searches on four connections.
    expect(Math.max(...delays)).toBeLessThanOrEqual(3);
  });

  it('ends a search only once', async () => {
    const { search, end, started } = createSearches(1);
    await search('user', 'u1', 'u2', 'u3');
    await end('u1');
    await end('u1');
    expect(started).toEqual(['u1', 'u2']);
  });
});
