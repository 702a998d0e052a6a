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
  it('is ready once it is assigned to any process', async () => {
    expect(task.isReady()).toBe(false);
    task.assign(false);
    expect(task.isReady()).toBe(true);
    task.assign(true);
    await settled();
    expect(task.isReady()).toBe(true);
  });

  it('starts its work once when assigned and ends it when the assignment is withdrawn', async () => {
    task.assign(true);
    task.assign(true);
    await settled();
    task.assign(false);
    await vi.waitFor(() => expect(events).toEqual(['work 1 begins', 'work 1 ends']));
  });

  it('keeps running when it is withdrawn and assigned again immediately', async () => {
    task.assign(true);
    await settled();
    task.assign(false);
    task.assign(true);
    await Promise.resolve();
    expect(task.isReady()).toBe(true);
    await task.close();

    expect(events).toEqual(['work 1 begins', 'work 1 ends']);
  });

  it('ends when it is superseded and starts again if it is still assigned', async () => {
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

  it('restarts after being superseded once the group confirms the assignment', async () => {
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

  it('does not restart if another process gets the assignment', async () => {
    task.assign(true);
    await settled();
    supersede();
    task.assign(false);
    await task.close();

    expect(events).toEqual(['work 1 begins', 'work 1 ends']);
  });
});
