import { expect, it } from 'vitest';
import { mergeSources, type StreamSource, sourceOf, takePage } from './merge-sources.ts';
import type { StreamItem } from './stream-item.ts';

const anItem = (number: number, createdById = 'other') =>
  ({ id: `${number}`, number, createdById }) as StreamItem;

async function numbersOf(sources: readonly StreamSource[]): Promise<readonly number[]> {
  const numbers: number[] = [];
  for await (const { number } of mergeSources(sources)) numbers.push(number);
  return numbers;
}

it('yields every item of all sources once, newest first', async () => {
  const sources = [[9, 4, 1], [], [8, 7, 2], [9, 3]].map((list) =>
    sourceOf(list.map((n) => anItem(n))),
  );

  expect(await numbersOf(sources)).toEqual([9, 9, 8, 7, 4, 3, 2, 1]);
  expect(await numbersOf([])).toEqual([]);
});

it('reads a source only when it may have the next item', async () => {
  const bounds: number[] = [];
  const lazy = (bound: number): StreamSource => ({
    ...sourceOf([anItem(bound - 1)]),
    bound,
    next: async () => {
      const isFirst = !bounds.includes(bound);
      bounds.push(bound);
      return isFirst ? anItem(bound - 1) : undefined;
    },
  });
  const items = mergeSources([lazy(10), lazy(30), lazy(20)]);

  expect((await items.next()).value.number).toBe(29);
  expect(bounds).toEqual([30]);
  expect((await items.next()).value.number).toBe(19);
  expect(bounds).toEqual([30, 30, 20]);
  expect((await items.next()).value.number).toBe(9);
});

it.each([
  [{ offset: 0, maxSize: 2 }, [5, 4], -1],
  [{ offset: 3, maxSize: 2 }, [2, 1], -2],
  [{ offset: 4, maxSize: 2 }, [1], -2],
  [{ offset: 0, maxSize: 0 }, [], -1],
  [{ offset: 9, maxSize: 2 }, [], -2],
])('returns the page %j and detects whether more items follow', async (page, numbers, total) => {
  const items = () => mergeSources([sourceOf([5, 4, 3, 2, 1].map((n) => anItem(n)))]);
  const taken = await takePage(items(), page, () => true);

  expect(taken.list.map(({ number }) => number)).toEqual(numbers);
  expect(taken.total).toBe(total);
});

it('omits unwanted items before counting', async () => {
  const items = mergeSources([sourceOf([anItem(3, 'me'), anItem(2), anItem(1, 'me')])]);
  const page = await takePage(
    items,
    { offset: 0, maxSize: 1 },
    (item) => item.createdById !== 'me',
  );

  expect(page).toMatchObject({ total: -2, list: [{ number: 2 }] });
});

it('keeps items with the same number in order and on one page', async () => {
  const twins = ['b', 'a', 'c'].map((id) => sourceOf([{ ...anItem(2), id }, anItem(1)]));
  const page = await takePage(mergeSources(twins), { offset: 0, maxSize: 1 }, () => true);

  expect(page).toMatchObject({ total: -1, list: [{ id: 'c' }, { id: 'b' }, { id: 'a' }] });
});
