import { describe, expect, it, vi } from 'vitest';
import { createRequestSlots } from './request-slots.ts';

describe('request slots', () => {
  it('are given to waiting callers in turn', () => {
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

  it('skip callers that have no request to start', () => {
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
