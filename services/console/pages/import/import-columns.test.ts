import { describe, expect, it } from 'vitest';
import type { Entity } from '../../api/metadata.ts';
import { mapColumns, targetsOf } from './import-columns.ts';

const fields = {
  name: { type: 'personName' },
  account: { type: 'link' },
  address: { type: 'address' },
  createdAt: { type: 'datetime', readOnly: true },
  teams: { type: 'linkMultiple' },
  website: { type: 'url' },
};
const labelOf = (part: string) => ({ account: 'Company', website: 'Web site' })[part] ?? part;
const entity = { fields, labelOf } as unknown as Entity;

describe('the columns of a file', () => {
  it('can fill every attribute that a user can enter as text', () => {
    expect(targetsOf(entity).map(({ value }) => value)).toEqual([
      ...['addressCity', 'addressCountry', 'addressPostalCode', 'addressState', 'addressStreet'],
      ...['accountName', 'firstName', 'lastName', 'name', 'website'],
    ]);
  });

  it('are mapped as the last time, or by name and label, each attribute once', () => {
    const targets = targetsOf(entity);
    const header = ['COMPANY', 'First name', 'Site', 'web-site', 'Other'];
    expect(mapColumns(header, targets, { Site: 'website' })).toEqual([
      'accountName',
      'firstName',
      'website',
      null,
      null,
    ]);
  });

  it('are mapped to the shortest attribute that begins with their name', () => {
    const targets = ['emailAddressIsInvalid', 'emailAddress', 'phoneNumber', 'Phone'].map(
      (value) => ({ value, label: value }),
    );
    const map = (...header: readonly string[]) => mapColumns(header, targets, {});
    expect(map('E-mail', 'Email')).toEqual(['emailAddress', null]);
    expect(map('Email', 'Email address')).toEqual([null, 'emailAddress']);
    expect(map('Phone', 'Ema')).toEqual(['Phone', null]);
  });
});
