import { describe, expect, it } from 'vitest';
import { assignResources, type Claimant } from './assign-resources.ts';

const resources = ['d/0', 'r/0', 'r/1', 'r/2', 'r/3'];

function member(id: string, claims: Readonly<Record<string, number>> = {}): Claimant {
  return {
    id,
    claims: new Map(Object.entries(claims).map(([name, at]) => [name, BigInt(at)])),
  };
}

function sharesOf(members: readonly Claimant[], wanted: readonly string[] = resources) {
  const shares: Record<string, string[]> = Object.fromEntries(members.map(({ id }) => [id, []]));
  for (const [resource, id] of assignResources(members, wanted)) shares[id]?.push(resource);
  return shares;
}

describe('the resources of a group', () => {
  it('belong to the only member', () => {
    expect(sharesOf([member('a')])).toEqual({ a: resources });
  });

  it('are distributed so that members differ by at most one', () => {
    const sizes = Object.values(sharesOf([member('a'), member('b')])).map(({ length }) => length);

    expect(sizes.toSorted()).toEqual([2, 3]);
  });

  it('stay with their members while the distribution is even', () => {
    const shares = sharesOf([
      member('a', { 'r/1': 5, 'r/3': 9 }),
      member('b', { 'd/0': 1, 'r/0': 7, 'r/2': 2 }),
    ]);

    expect(shares).toEqual({ a: ['r/1', 'r/3'], b: ['d/0', 'r/0', 'r/2'] });
  });

  it('move only as needed for a new member', () => {
    const all = Object.fromEntries(resources.map((name) => [name, 1]));
    const shares = sharesOf([member('a', all), member('b')]);

    expect(shares['a']).toEqual(['d/0', 'r/0', 'r/1']);
    expect(shares['b']).toEqual(['r/2', 'r/3']);
  });

  it('go to the newer of two holders', () => {
    const shares = sharesOf([member('a', { 'r/0': 3 }), member('b', { 'r/0': 8 })], ['r/0', 'r/1']);

    expect(shares).toEqual({ a: ['r/1'], b: ['r/0'] });
  });

  it('leave some members without resources if there are too many members', () => {
    const shares = sharesOf([member('a'), member('b', { 'r/0': 1 }), member('c')], ['r/0']);

    expect(shares).toEqual({ a: [], b: ['r/0'], c: [] });
  });
});
