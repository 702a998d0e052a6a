import { describe, expect, it, vi } from 'vitest';
import { createRequestSlots } from './request-slots.ts';

describe('request slots', () => {
  it('go in turn to those who found none free', () => {
    const slots = createRequestSlots({ inAll: 1, perOrigin: 1 });
    const started: string[] = [];
    const buildStarter = (name: string) =>
      function start(): void {
        while (slots.isFree(start)) {
          slots.take('a');
          started.push(name);
        }
      };
    for (const name of ['a', 'b', 'c']) buildStarter(name)();
    for (let round = 0; round < 3; round++) slots.release('a');

    expect(started).toEqual(['a', 'a', 'b', 'c']);
  });

  it('pass by who has nothing to start any more', () => {
    const slots = createRequestSlots({ inAll: 1, perOrigin: 1 });
    slots.take('a');
    const [idle, next] = [vi.fn(), vi.fn()];
    slots.isFree(idle);
    slots.isFree(next);
    slots.release('a');

    expect(idle).toHaveBeenCalledOnce();
    expect(next).toHaveBeenCalledOnce();
    expect(slots.isFree(idle)).toBe(true);
  });
});
