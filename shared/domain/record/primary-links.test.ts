import { describe, expect, it } from 'vitest';
import { createDirectory } from '../directory/directory.ts';
import { stockDefinitions } from '../entity/stock/stock-definitions.ts';
import type { AttributeValues } from '../value/attribute-values.ts';
import { withPrimaryLinks } from './followed-rules.ts';

const contact = createDirectory(stockDefinitions).entity('Contact');
if (contact === undefined) throw new Error('no Contact');
const write = (current: AttributeValues, after: AttributeValues) =>
  withPrimaryLinks(contact, current, after);

const linked = {
  accountId: 'a',
  accountName: 'A',
  accountsIds: ['a', 'b'],
  accountsNames: { a: 'A', b: 'B' },
};

describe('the primary account of a contact', () => {
  it('is added to the accounts with its name', () => {
    expect(write({}, { accountId: 'a', accountName: 'A', accountsIds: [] })).toMatchObject({
      accountsIds: ['a'],
      accountsNames: { a: 'A' },
    });
    expect(write(linked, { accountId: 'c', accountName: 'C' })).toMatchObject({
      accountsIds: ['a', 'b', 'c'],
      accountsNames: { a: 'A', b: 'B', c: 'C' },
    });
  });

  it('is cleared when it is removed from the accounts', () => {
    const after = { accountsIds: ['b'], accountsNames: { b: 'B' } };
    expect(write(linked, after)).toEqual({ ...after, accountId: null, accountName: null });
  });

  it('defaults to the first account if it was not set before', () => {
    const after = { accountsIds: ['b'], accountsNames: { b: 'B' } };
    const expected = { ...after, accountId: 'b', accountName: 'B' };
    expect(write({}, after)).toEqual(expected);
    const created = { accountId: null, accountName: null, ...after };
    expect(write({}, created), 'a new contact').toEqual(expected);
  });

  it('is not changed by other updates', () => {
    for (const after of [
      {},
      { title: 'CEO' },
      { accountId: 'b', accountName: 'B' },
      { accountId: null },
    ]) {
      expect(write(linked, after)).toEqual(after);
    }
  });
});
