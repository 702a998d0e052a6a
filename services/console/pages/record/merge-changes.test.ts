import { describe, expect, it } from 'vitest';
import type { Entity } from '../../api/metadata.ts';
import { mergeChanges, wholeValuesOf } from './merge-changes.ts';

const entity = {
  name: 'Account',
  fields: {
    name: { type: 'varchar' },
    website: { type: 'url' },
    billingAddress: { type: 'address' },
    assignedUser: { type: 'link' },
    phoneNumber: { type: 'phone' },
    amount: { type: 'currency' },
    modifiedAt: { type: 'datetime', readOnly: true },
  },
} as unknown as Entity;

const base = {
  id: 'a',
  name: 'Acme',
  website: null,
  billingAddressCity: 'Bonn',
  amount: 100,
  amountCurrency: 'EUR',
  assignedUserId: 'me',
  modifiedAt: '2030-01-01 10:00:00',
};

const merge = (latest: object, changed: object) =>
  mergeChanges(entity, { base, latest: { ...base, ...latest }, changed: { ...changed } });

describe('merging the changes of a form with a later version', () => {
  it('keeps own changes and reports fields that only the other user changed', () => {
    const latest = { website: 'https://acme.example', modifiedAt: '2030-01-02 10:00:00' };
    expect(merge(latest, { name: 'Acme Ltd' })).toEqual({
      values: { name: 'Acme Ltd' },
      conflicts: [],
      theirs: ['website'],
    });
  });

  it('reports fields that both users changed to different values', () => {
    expect(merge({ name: 'Acme AG' }, { name: 'Acme Ltd', website: 'https://a.example' })).toEqual({
      values: { website: 'https://a.example' },
      conflicts: ['name'],
      theirs: [],
    });
  });

  it('accepts identical changes by both users', () => {
    expect(merge({ name: 'Acme AG' }, { name: 'Acme AG' })).toEqual({
      values: {},
      conflicts: [],
      theirs: [],
    });
  });

  it('treats the parts of a field as one field', () => {
    const merged = merge({ billingAddressStreet: 'Am Hof 1' }, { billingAddressCity: 'Berlin' });
    expect(merged.conflicts).toEqual(['billingAddress']);
    expect(merged.values).toEqual({});
    const assigned = merge({}, { assignedUserId: 'other', assignedUserName: 'Other' });
    expect(assigned.values).toEqual({ assignedUserId: 'other', assignedUserName: 'Other' });
  });

  it('keeps composite fields together, such as an address or an amount', () => {
    const shown = {
      ...base,
      billingAddressStreet: 'Markt 2',
      billingAddressCity: 'Berlin',
      amount: 200,
      amountCurrency: 'EUR',
    };
    expect(wholeValuesOf(entity, ['billingAddress', 'amount'], shown)).toEqual({
      billingAddressStreet: 'Markt 2',
      billingAddressCity: 'Berlin',
      amount: 200,
      amountCurrency: 'EUR',
    });
    expect(merge({}, { amount: 200 }).values).toEqual({ amount: 200, amountCurrency: 'EUR' });
    expect(merge({ amountCurrency: 'USD' }, { amount: 200 }).conflicts).toEqual(['amount']);
    const sameAmount = merge({ amount: 200, amountCurrency: 'USD' }, { amount: 200 });
    expect(sameAmount.conflicts).toEqual(['amount']);
  });

  it('merges the entries of an e-mail or phone field, and reports conflicts in them', () => {
    const phoneNumberData = [{ phoneNumber: '+4930123456', primary: true }];
    expect(merge({}, { phoneNumberData }).values).toEqual({ phoneNumberData });
    expect(merge({ phoneNumber: '+4930999999' }, { phoneNumberData }).conflicts).toEqual([
      'phoneNumber',
    ]);
  });

  it('ignores input that equals the initial value', () => {
    expect(merge({ name: 'Acme AG' }, { name: 'Acme', website: '' })).toEqual({
      values: {},
      conflicts: [],
      theirs: ['name'],
    });
  });
});

describe('merging the times of an event', () => {
  const meeting = {
    name: 'Meeting',
    fields: {
      dateStart: { type: 'datetimeOptional' },
      dateEnd: { type: 'datetimeOptional' },
      duration: { type: 'duration' },
      isAllDay: { type: 'bool' },
    },
  } as unknown as Entity;
  const before = {
    id: 'a',
    dateStart: '2030-01-31 10:00:00',
    dateStartDate: null,
    dateEnd: '2030-01-31 11:00:00',
    dateEndDate: null,
    isAllDay: false,
    duration: 3600,
  };
  const mergeTimes = (later: object, changed: object) =>
    mergeChanges(meeting, {
      base: before,
      latest: { ...before, ...later },
      changed: { ...changed },
    });

  it('reports one conflict when one user changes the start and the other the end', () => {
    const later = { dateEnd: '2030-01-31 12:00:00', duration: 7200 };
    expect(mergeTimes(later, { dateStart: '2030-01-31 10:30:00' })).toEqual({
      values: {},
      conflicts: ['dateStart', 'dateEnd', 'isAllDay'],
      theirs: [],
    });
  });

  it('keeps start, end and all-day flag together and leaves the duration to the server', () => {
    const { duration: _, ...times } = before;
    const { id: __, ...values } = { ...times, dateEnd: '2030-01-31 12:00:00' };
    expect(mergeTimes({}, { dateEnd: '2030-01-31 12:00:00' }).values).toEqual(values);
  });

  it('reports only the times that the other user changed', () => {
    const later = { dateEnd: '2030-01-31 12:00:00', duration: 7200 };
    expect(mergeTimes(later, {}).theirs).toEqual(['dateEnd', 'duration']);
  });
});
