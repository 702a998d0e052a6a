import { describe, expect, it } from 'vitest';
import { groupOf, idsUpTo, moveCard } from './move-card.ts';

const card = (id: string, amount: number | null = 1) => ({ id, amount });
const groups = [
  { name: 'New', total: 12, sum: 30, list: [card('a', 10), card('b'), card('c', null)] },
  { name: 'Done', total: 1, sum: 5, list: [card('d', 5)] },
  { name: 'Empty', total: 0, sum: null, list: [] },
];
const idsIn = (moved: typeof groups | ReturnType<typeof moveCard>) =>
  Object.fromEntries(moved.map(({ name, list }) => [name, list.map(({ id }) => id).join(' ')]));

describe('a moved card', () => {
  it('changes the counts and sums of both groups', () => {
    const moved = moveCard(groups, { id: 'a', to: 'Done', index: 1, sumOf: 'amount' });
    expect(idsIn(moved)).toEqual({ New: 'b c', Done: 'd a', Empty: '' });
    expect(moved.map(({ total, sum }) => [total, sum])).toEqual([
      [11, 20],
      [2, 15],
      [0, null],
    ]);
  });

  it('changes only the order within its group', () => {
    const moved = moveCard(groups, { id: 'a', to: 'New', index: 2, sumOf: 'amount' });
    expect(idsIn(moved)['New']).toBe('b c a');
    expect(moved[0]).toMatchObject({ total: 12, sum: 30 });
  });

  it('can have no amount, or move to an empty group', () => {
    const moved = moveCard(groups, { id: 'c', to: 'Empty', index: 0, sumOf: 'amount' });
    expect(moved[0]).toMatchObject({ total: 11, sum: 30 });
    expect(moved[2]).toMatchObject({ total: 1, sum: null, list: [{ id: 'c' }] });
  });

  it('that is not on the board changes nothing', () => {
    expect(moveCard(groups, { id: 'x', to: 'Done', index: 0 })).toBe(groups);
    expect(groupOf(groups, 'x')).toBeUndefined();
  });

  it('keeps its place with the ids of the cards before it', () => {
    const moved = moveCard(groups, { id: 'd', to: 'New', index: 1 });
    const [first] = moved;
    expect(first && idsUpTo(first, 'd')).toEqual(['a', 'd']);
  });
});
