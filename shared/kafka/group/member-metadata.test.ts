import { expect, it } from 'vitest';
import { beginLife, isOlder } from './member-metadata.ts';

it('orders member lives by start time and then by id', () => {
  const now = Date.now();
  const lives = [
    { since: now, id: 'b' },
    { since: now, id: 'a' },
    { since: now - 1, id: 'c' },
  ];
  const inOrder = lives.toSorted((one, other) => (isOlder(one, other) ? -1 : 1));
  expect(inOrder.map(({ id }) => id)).toEqual(['c', 'a', 'b']);
  for (const life of lives) expect(isOlder(life, life)).toBe(true);
  expect(beginLife().id).not.toBe(beginLife().id);
});
