import { describe, expect, it } from 'vitest';
import type { Entity } from '../api/metadata.ts';
import { mergeChanges } from './merge-changes.ts';

const entity = {
  name: 'Account',
  fields: {
    name: { type: 'varchar' },
    website: { type: 'url' },
    billingAddress: { type: 'address' },
    assignedUser: { type: 'link' },
    phoneNumber: { type: 'phone' },
    modifiedAt: { type: 'datetime', readOnly: true },
  },
} as unknown as Entity;

const base = {
  id: 'a',
  name: 'Acme',
  website: null,
  billingAddressCity: 'Bonn',
  assignedUserId: 'me',
  modifiedAt: '2030-01-01 10:00:00',
};

const merge = (latest: object, changed: object) =>
  mergeChanges(entity, { base, latest: { ...base, ...latest }, changed: { ...changed } });

describe('merging the changes of a form with a later version', () => {
  it('keeps own changes, and reports the fields that only the other user has changed', () => {
    const latest = { website: 'https://acme.example', modifiedAt: '2030-01-02 10:00:00' };
    expect(merge(latest, { name: 'Acme Ltd' })).toEqual({
      values: { name: 'Acme Ltd' },
      conflicts: [],
      theirs: ['website'],
    });
  });

  it('finds fields that both have changed to different values', () => {
    expect(merge({ name: 'Acme AG' }, { name: 'Acme Ltd', website: 'https://a.example' })).toEqual({
      values: { website: 'https://a.example' },
      conflicts: ['name'],
      theirs: [],
    });
  });

  it('accepts the same change of both', () => {
    expect(merge({ name: 'Acme AG' }, { name: 'Acme AG' })).toEqual({
      values: {},
      conflicts: [],
      theirs: [],
    });
  });

  it('treats the parts of a field as one field', () => {
    const merged = merge({ billingAddressStreet: 'Am Hof 1' }, { billingAddressCity: 'Berlin' });
    expect(merged.conflicts).toEqual(['billingAddress']);
    const assigned = merge({}, { assignedUserId: 'other', assignedUserName: 'Other' });
    expect(assigned.values).toEqual({ assignedUserId: 'other', assignedUserName: 'Other' });
  });

  it('includes the list of an e-mail or phone field', () => {
    const phoneNumberData = [{ phoneNumber: '+4930123456', primary: true }];
    expect(merge({}, { phoneNumberData }).values).toEqual({ phoneNumberData });
    expect(merge({ phoneNumber: '+4930999999' }, { phoneNumberData }).conflicts).toEqual([
      'phoneNumber',
    ]);
  });

  it('ignores input that equals the value it began with', () => {
    expect(merge({ name: 'Acme AG' }, { name: 'Acme', website: '' })).toEqual({
      values: {},
      conflicts: [],
      theirs: ['name'],
    });
  });
});
