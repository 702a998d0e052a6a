import { describe, expect, it } from 'vitest';
import type { Entity } from '../api/metadata.ts';
import { isCombinedByMerge, isEmptyIn, isNumeric } from './field-types.ts';

const fields = {
  amount: { type: 'currency' },
  count: { type: 'int' },
  rate: { type: 'decimal' },
  duration: { type: 'duration' },
  number: { type: 'number' },
  account: { type: 'link' },
  contacts: { type: 'linkMultiple' },
};
const entity = { fields } as unknown as Entity;

describe('a field', () => {
  it.each([
    ['amount', true],
    ['count', true],
    ['rate', true],
    ['duration', false],
    ['number', false],
    ['account', false],
    ['unknown', false],
  ])('%s is numeric: %s', (name, expected) => {
    expect(isNumeric(entity, name)).toBe(expected);
  });

  it.each([
    ['attachments', true],
    ['contacts', true],
    ['teams', true],
    ['phoneNumber', true],
    ['picture', false],
    ['contract', false],
    ['assignedUsers', false],
    ['collaborators', false],
    ['name', false],
  ])('%s is combined by a merge: %s', (name, expected) => {
    const merged = {
      owner: 'assignedUsersIds',
      fields: {
        attachments: { type: 'attachmentMultiple' },
        contacts: { type: 'linkMultiple' },
        teams: { type: 'linkMultiple' },
        phoneNumber: { type: 'phone' },
        picture: { type: 'image' },
        contract: { type: 'file' },
        assignedUsers: { type: 'linkMultiple' },
        collaborators: { type: 'linkMultiple' },
        name: { type: 'varchar' },
      },
    } as unknown as Entity;
    expect(isCombinedByMerge(merged, name)).toBe(expected);
  });

  it.each([
    ['a currency without an amount', 'amount', { amountCurrency: 'EUR' }, true],
    ['an amount of 0', 'amount', { amount: 0, amountCurrency: 'EUR' }, false],
    ['a link without a record', 'account', { accountId: null, accountName: null }, true],
    ['a link to no records', 'contacts', { contactsIds: [], contactsNames: {} }, true],
    ['a link to a record without a name', 'account', { accountId: 'a', accountName: null }, false],
  ])('is recognized as empty or not: %s', (_, name, record, expected) => {
    expect(isEmptyIn(entity, name, record)).toBe(expected);
  });
});
