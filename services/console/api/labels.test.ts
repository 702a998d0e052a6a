import { describe, expect, it } from 'vitest';
import { labelPart, toWords } from './labels.ts';

describe('labelPart and toWords', () => {
  const known = { account: 'Customer', name: 'Name' };

  it('returns the label from the API', () => {
    expect(labelPart(known, 'account')).toBe('Customer');
  });

  it('uses the label of the field for its attributes', () => {
    expect(labelPart(known, 'accountId')).toBe('Customer (Id)');
    expect(labelPart({ members: 'Members' }, 'membersIds')).toBe('Members (Ids)');
    expect(labelPart({ phone: 'Phone' }, 'phoneData')).toBe('Phone');
  });

  it('splits any other name into words', () => {
    expect(labelPart(known, 'createdById')).toBe('Created By Id');
    expect(labelPart({}, 'exportPermission')).toBe('Export Permission');
    expect(toWords('GlobalStream')).toBe('Global Stream');
    expect(toWords('account')).toBe('Account');
  });
});
