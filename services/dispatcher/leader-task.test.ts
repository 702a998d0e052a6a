import { pino } from 'pino';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { LeaderTask } from './leader-task.ts';

const events: string[] = [];
let supersede: () => void = () => undefined;
let confirmedAt = 0;
let task: LeaderTask;

beforeEach(() => {
  events.length = 0;
  confirmedAt = Number.POSITIVE_INFINITY;
  let starts = 0;
  task = new LeaderTask({
    name: 'queue',
    confirmedAt: () => confirmedAt,
    log: pino({ level: 'silent' }),
    start(onSuperseded) {
      const name = `work ${++starts}`;
      events.push(`${name} begins`);
      supersede = onSuperseded;
      return {
        isWorking: () => true,
        close: async () => {
          await Promise.resolve();
          events.push(`${name} ends`);
        },
      };
    },
  });
});

const settled = () => vi.waitFor(() => expect(events.length).toBeGreaterThan(0));

describe('a leader task', () => {
  it('is ready only once the assignment is known', async () => {
    expect(task.isReady()).toBe(false);
    task.assign(false);
    expect(task.isReady()).toBe(true);
    task.assign(true);
    await settled();
    expect(task.isReady()).toBe(true);
  });

  it('is done while it is assigned here, and begins once', async () => {
    task.assign(true);
    task.assign(true);
    await settled();
    task.assign(false);
    await vi.waitFor(() => expect(events).toEqual(['work 1 begins', 'work 1 ends']));
  });

  it('goes on when it is taken away and given back in the same moment', async () => {
    task.assign(true);
    await settled();
    task.assign(false);
    task.assign(true);
    await Promise.resolve();
    expect(task.isReady()).toBe(true);
    await task.close();

    expect(events).toEqual(['work 1 begins', 'work 1 ends']);
  });

  it('that is superseded ends, and begins again a while later if it is still ours', async () => {
    task.assign(true);
    await settled();
    supersede();
    supersede();
    await vi.waitFor(
      () => expect(events).toEqual(['work 1 begins', 'work 1 ends', 'work 2 begins']),
      { timeout: 5_000 },
    );
    await task.close();
  });

  it('that is superseded waits until the group confirms it', async () => {
    confirmedAt = Date.now() - 1;
    task.assign(true);
    await settled();
    supersede();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    task.assign(true);
    expect(task.isReady()).toBe(false);
    expect(task.since()).toBeUndefined();
    expect(events).toEqual(['work 1 begins', 'work 1 ends']);

    confirmedAt = Date.now();
    await vi.waitFor(() => expect(events).toHaveLength(3), { timeout: 5_000 });
    await task.close();
  });

  it('that is superseded and assigned elsewhere stays ended', async () => {
    task.assign(true);
    await settled();
    supersede();
    task.assign(false);
    await task.close();

    expect(events).toEqual(['work 1 begins', 'work 1 ends']);
  });
});
