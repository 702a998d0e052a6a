import { describe, expect, it } from 'vitest';
import { createPlanCache } from './plan-cache.ts';

describe('the plan cache', () => {
  it('builds a plan once per key and revision of the directory', () => {
    let revision = 1;
    let built = 0;
    const cached = createPlanCache<number>(() => revision);
    const build = () => {
      built += 1;
      return built;
    };
    expect([cached('a', build), cached('a', build), cached('b', build)]).toEqual([1, 1, 2]);
    revision = 2;
    expect([cached('a', build), cached('a', build)]).toEqual([3, 3]);
  });

  it('is cleared when it is full and does not keep failed plans', () => {
    const cached = createPlanCache<number>(() => 1);
    const fail = () => {
      throw new Error('unknown attribute');
    };
    expect(() => cached('a', fail)).toThrow('unknown attribute');
    expect(cached('a', () => 1)).toBe(1);
    for (let number = 0; number < 1_000; number += 1) cached(`key ${number}`, () => number);
    expect(cached('a', () => 2)).toBe(2);
  });
});
