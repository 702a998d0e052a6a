import { beforeEach, describe, expect, it } from 'vitest';
import { createReplaceable, type Replaceable } from './replaceable.ts';

let opened: number;
let closed: number[];
let numbered: Replaceable<number>;

beforeEach(() => {
  opened = 0;
  closed = [];
  numbered = createReplaceable({
    open: async () => {
      opened += 1;
      return opened;
    },
    close: async (one) => {
      closed.push(one);
    },
  });
});

const which = () => numbered.use(async (one) => one);

describe('a replaceable resource', () => {
  it('is opened once for all users', async () => {
    expect(await Promise.all([which(), which()])).toEqual([1, 1]);
    expect(await which()).toBe(1);
  });

  it('is closed and opened again after a failure', async () => {
    await expect(numbered.use(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(closed).toEqual([1]);
    expect(await which()).toBe(2);
  });

  it('is not closed when a user of its predecessor fails late', async () => {
    const failLate = Promise.withResolvers<never>();
    const late = numbered.use(() => failLate.promise);
    await expect(numbered.use(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    expect(await which()).toBe(2);
    failLate.reject(new Error('late'));
    await expect(late).rejects.toThrow('late');
    expect(closed).toEqual([1]);
    expect(await which()).toBe(2);
  });

  it('is opened again after opening fails', async () => {
    let isAway = true;
    const flaky = createReplaceable({
      open: async () => {
        if (isAway) throw new Error('away');
        return 'there';
      },
      close: () => Promise.reject(new Error('nothing to lose')),
    });
    await expect(flaky.use(async (one) => one)).rejects.toThrow('away');
    isAway = false;
    expect(await flaky.use(async (one) => one)).toBe('there');
    await flaky.close();
  });
});
