import { describe, expect, it } from 'vitest';
import { admit } from './admit.ts';

const lane = (batches: number, isSlow = false, bytes = batches) => ({ batches, bytes, isSlow });
const free = (batches: number, bytes = 1_000) => ({ batches, bytes });

describe('a batch', () => {
  it('is taken while its lane holds less than is free', () => {
    expect(admit(lane(0), free(1))).toBe('take');
    expect(admit(lane(49), free(50))).toBe('take');
  });

  it('goes to the overflow when its lane holds more and keeps up', () => {
    expect(admit(lane(50), free(50))).toBe('overflow');
    expect(admit(lane(1, false, 1_000), free(50))).toBe('overflow');
  });

  it('is postponed when its lane holds more and does not keep up', () => {
    expect(admit(lane(50, true), free(50))).toBe('postpone');
  });

  it('is taken by a slow lane that holds little', () => {
    expect(admit(lane(3, true), free(50))).toBe('take');
  });

  it('waits when nothing is free', () => {
    expect(admit(lane(0), free(0))).toBe('wait');
    expect(admit(lane(50, true), free(0))).toBe('wait');
    expect(admit(lane(0), free(5, 0))).toBe('wait');
  });
});

describe('lanes that fill up', () => {
  it.each([1, 3, 9])('leave a share free when they are %d', (count) => {
    const limit = 1_000;
    const held = Array.from({ length: count }, () => 0);
    const freeNow = () => limit - held.reduce((sum, batches) => sum + batches, 0);
    for (let round = 0; round < limit; round++) {
      for (const [index, batches] of held.entries()) {
        if (admit(lane(batches, true), free(freeNow())) === 'take') held[index] = batches + 1;
      }
    }
    expect(freeNow()).toBeGreaterThanOrEqual(Math.floor(limit / (count + 1)) - count);
  });
});
