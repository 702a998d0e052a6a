import { describe, expect, it } from 'vitest';
import type { Entity, Field } from '../../../api/metadata.ts';
import { differences, settableAttributes, valuesAt } from './versions.ts';

const fields: Readonly<Record<string, Field>> = {
  name: { type: 'varchar' },
  type: { type: 'enum' },
  emailAddress: { type: 'email' },
  billing: { type: 'varchar' },
  billingAddress: { type: 'address' },
  contacts: { type: 'linkMultiple' },
  size: { type: 'rangeInt' },
  firstName: { type: 'varchar' },
  createdAt: { type: 'datetime' },
  number: { type: 'autoincrement', readOnly: true },
  personName: { type: 'personName' },
};
const account = { fields } as Entity;

const by = { at: '2030-01-01 00:00:00', byId: null, byName: null };
const versions = [
  {
    ...by,
    version: 1,
    type: 'created' as const,
    changes: [
      { attribute: 'name', before: null, after: 'Acme' },
      { attribute: 'type', before: null, after: 'Customer' },
    ],
  },
  {
    ...by,
    version: 2,
    type: 'updated' as const,
    changes: [{ attribute: 'name', before: 'Acme', after: 'Acme Ltd' }],
  },
  {
    ...by,
    version: 3,
    type: 'updated' as const,
    changes: [{ attribute: 'type', before: 'Customer', after: null }],
  },
];

describe('valuesAt', () => {
  it('applies all changes up to a version', () => {
    expect(valuesAt(versions, 1)).toEqual({ name: 'Acme', type: 'Customer' });
    expect(valuesAt(versions, 2)).toEqual({ name: 'Acme Ltd', type: 'Customer' });
    expect(valuesAt(versions, 3)).toEqual({ name: 'Acme Ltd', type: null });
  });
});

describe('differences', () => {
  it('returns exactly the fields that differ between two versions', () => {
    expect(differences(account, valuesAt(versions, 1), valuesAt(versions, 3))).toEqual([
      { name: 'name', attributes: ['name'] },
      { name: 'type', attributes: ['type'] },
    ]);
    expect(differences(account, valuesAt(versions, 2), valuesAt(versions, 2))).toEqual([]);
  });

  it('compares lists by content and treats absent values as null', () => {
    expect(differences(account, { a: ['x'], b: null }, { a: ['x'] })).toEqual([]);
  });

  it('combines the attributes of a field', () => {
    const after = {
      emailAddress: 'a@x.org',
      emailAddressData: [{ emailAddress: 'a@x.org' }],
      emailAddressIsOptedOut: true,
      billingAddressCity: 'Bonn',
      billingAddressMap: 'map',
      contactsIds: ['1'],
      contactsNames: { 1: 'Ada' },
      fromSize: 1,
      unknown: 1,
    };
    expect(differences(account, {}, after)).toEqual([
      { name: 'billingAddress', attributes: ['billingAddressCity', 'billingAddressMap'] },
      { name: 'contacts', attributes: ['contactsIds', 'contactsNames'] },
      {
        name: 'emailAddress',
        attributes: ['emailAddress', 'emailAddressData', 'emailAddressIsOptedOut'],
      },
      { name: 'size', attributes: ['fromSize'] },
      { name: 'unknown', attributes: ['unknown'] },
    ]);
  });
});

describe('settableAttributes', () => {
  it('omits names of linked records and fields that the server sets or composes', () => {
    const settable = (name: string, attributes: readonly string[]) =>
      settableAttributes(account, { name, attributes });
    expect(settable('contacts', ['contactsIds', 'contactsNames'])).toEqual(['contactsIds']);
    expect(settable('firstName', ['firstName'])).toEqual(['firstName']);
    expect(settable('createdAt', ['createdAt'])).toEqual([]);
    expect(settable('number', ['number'])).toEqual([]);
    expect(settable('personName', ['personName'])).toEqual([]);
  });
});
