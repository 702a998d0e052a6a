import { describe, expect, it, vi } from 'vitest';
import { createRequestSlots } from './request-slots.ts';

describe('request slots', () => {
  it('go in turn to those who found none free', () => {
    const slots = createRequestSlots(1);
    const started: string[] = [];
    const buildStarter = (name: string) =>
      function start(): void {
        while (slots.isFree(start)) {
          slots.take();
          started.push(name);
        }
      };
    for (const name of ['a', 'b', 'c']) buildStarter(name)();
    for (let round = 0; round < 3; round++) slots.release();

    expect(started).toEqual(['a', 'a', 'b', 'c']);
  });

  it('pass by who has nothing to start any more', () => {
    const slots = createRequestSlots(1);
    slots.take();
    const [idle, next] = [vi.fn(), vi.fn()];
    slots.isFree(idle);
    slots.isFree(next);
    slots.release();

    expect(idle).toHaveBeenCalledOnce();
    expect(next).toHaveBeenCalledOnce();
    expect(slots.isFree(idle)).toBe(true);
  });
});
