import { describe, expect, it } from 'vitest';
import type { Entity, Field } from '../../../api/metadata.ts';
import { defaultSourceOf, oldestOf } from './merge-defaults.ts';

const fields: Readonly<Record<string, Field>> = {
  title: { type: 'varchar' },
  isActive: { type: 'bool' },
  address: { type: 'address' },
  amount: { type: 'currency' },
  account: { type: 'link' },
  tags: { type: 'multiEnum' },
};
const entity = { fields } as unknown as Entity;
const records = [
  { id: 'new', createdAt: '2026-03-01 10:00:00', title: 'Head of Purchasing', isActive: true },
  {
    id: 'old',
    createdAt: '2025-01-31 10:00:00',
    title: '',
    isActive: false,
    tags: [],
    amountCurrency: 'EUR',
  },
  {
    id: 'middle',
    createdAt: '2025-07-01 10:00:00',
    title: 'Buyer',
    addressCity: 'Bonn',
    amount: 0,
    amountCurrency: 'EUR',
    accountId: 'a',
    tags: ['x'],
  },
];

describe('the defaults of a merge', () => {
  it('keep the oldest record', () => {
    expect(oldestOf(records)).toBe('old');
    expect(oldestOf([{ id: 'undated' }, ...records])).toBe('old');
  });

  it.each([
    ['a value of the target', 'middle', 'title', 'middle'],
    ['the first value if the target has none', 'old', 'title', 'new'],
    ['a flag of the target, which always has a value', 'old', 'isActive', 'old'],
    ['an address of which only the city is set', 'old', 'address', 'middle'],
    ['an amount of 0 instead of a currency without an amount', 'old', 'amount', 'middle'],
    ['a linked record', 'old', 'account', 'middle'],
    ['a list that is not empty', 'old', 'tags', 'middle'],
  ])('keep %s', (_, targetId, name, expected) => {
    expect(defaultSourceOf({ entity, name }, records, targetId)).toBe(expected);
  });

  it('keep the target if no record has a value', () => {
    const bare = [{ id: 'a' }, { id: 'b', title: null }];
    expect(defaultSourceOf({ entity, name: 'title' }, bare, 'b')).toBe('b');
  });
});
