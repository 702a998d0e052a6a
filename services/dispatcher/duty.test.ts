import { pino } from 'pino';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Duty } from './duty.ts';

const events: string[] = [];
let supersede: () => void = () => undefined;
let confirmedAt = 0;
let duty: Duty;

beforeEach(() => {
  events.length = 0;
  confirmedAt = Number.POSITIVE_INFINITY;
  let starts = 0;
  duty = new Duty({
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

describe('a duty', () => {
  it('is ready only once the assignment is known', async () => {
    expect(duty.isReady()).toBe(false);
    duty.assign(false);
    expect(duty.isReady()).toBe(true);
    duty.assign(true);
    await settled();
    expect(duty.isReady()).toBe(true);
  });

  it('is done while it is assigned here, and begins once', async () => {
    duty.assign(true);
    duty.assign(true);
    await settled();
    duty.assign(false);
    await vi.waitFor(() => expect(events).toEqual(['work 1 begins', 'work 1 ends']));
  });

  it('goes on when it is taken away and given back in the same moment', async () => {
    duty.assign(true);
    await settled();
    duty.assign(false);
    duty.assign(true);
    await Promise.resolve();
    expect(duty.isReady()).toBe(true);
    await duty.close();

    expect(events).toEqual(['work 1 begins', 'work 1 ends']);
  });

  it('that is superseded ends, and begins again a while later if it is still ours', async () => {
    duty.assign(true);
    await settled();
    supersede();
    supersede();
    await vi.waitFor(
      () => expect(events).toEqual(['work 1 begins', 'work 1 ends', 'work 2 begins']),
      { timeout: 5_000 },
    );
    await duty.close();
  });

  it('that is superseded waits until the group confirms it', async () => {
    confirmedAt = Date.now() - 1;
    duty.assign(true);
    await settled();
    supersede();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    duty.assign(true);
    expect(duty.isReady()).toBe(false);
    expect(duty.since()).toBeUndefined();
    expect(events).toEqual(['work 1 begins', 'work 1 ends']);

    confirmedAt = Date.now();
    await vi.waitFor(() => expect(events).toHaveLength(3), { timeout: 5_000 });
    await duty.close();
  });

  it('that is superseded and assigned elsewhere stays ended', async () => {
    duty.assign(true);
    await settled();
    supersede();
    duty.assign(false);
    await duty.close();

    expect(events).toEqual(['work 1 begins', 'work 1 ends']);
  });
});
