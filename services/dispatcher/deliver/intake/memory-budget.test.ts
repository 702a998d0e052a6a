import { expect, it } from 'vitest';
import { createMemoryBudget } from './memory-budget.ts';

it('a memory budget is shared, and a closed share returns its memory', () => {
  const budget = createMemoryBudget({ batches: 10, bytes: 100 });
  const [one, other] = [budget.share(), budget.share()];
  one.take(30);
  one.take(5);
  one.release(30);
  other.take(20);
  expect(one.free()).toEqual({ batches: 8, bytes: 75 });

  one.close();
  one.close();
  one.release(5);
  expect(other.free()).toEqual({ batches: 9, bytes: 80 });
});
