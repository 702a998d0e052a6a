import { describe, expect, it } from 'vitest';
import { contactEntriesOf } from './contact-entries.ts';

const flags = { isPrimary: false, isOptedOut: false, isInvalid: false };

describe('contactEntriesOf', () => {
  it('returns the primary entry first', () => {
    const phoneNumberData = [
      { phoneNumber: '030 1', type: 'Office', primary: false, optOut: true, invalid: true },
      { phoneNumber: '0171 2', type: 'Mobile', primary: true, optOut: false, invalid: false },
    ];
    expect(contactEntriesOf({ phoneNumberData }, 'phoneNumber')).toEqual([
      { ...flags, address: '0171 2', kind: 'Mobile', isPrimary: true },
      { ...flags, address: '030 1', kind: 'Office', isOptedOut: true, isInvalid: true },
    ]);
  });

  it('falls back to the primary address', () => {
    expect(contactEntriesOf({ emailAddress: 'a@x.org' }, 'emailAddress')).toEqual([
      { ...flags, address: 'a@x.org', kind: undefined, isPrimary: true },
    ]);
  });

  it('ignores absent and malformed values', () => {
    expect(contactEntriesOf({ emailAddress: null }, 'emailAddress')).toEqual([]);
    expect(contactEntriesOf({ emailAddressData: [null, 1, {}] }, 'emailAddress')).toEqual([]);
    expect(contactEntriesOf({ emailAddressData: 'x' }, 'emailAddress')).toEqual([]);
  });
});
