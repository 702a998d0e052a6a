import { describe, expect, it } from 'vitest';
import { labelPart, toWords } from './labels.ts';

describe('labels', () => {
  const known = { account: 'Customer', name: 'Name' };

  it('takes the label that the API tells', () => {
    expect(labelPart(known, 'account')).toBe('Customer');
  });

  it('names an attribute after the field that it belongs to', () => {
    expect(labelPart(known, 'accountId')).toBe('Customer (Id)');
    expect(labelPart({ members: 'Members' }, 'membersIds')).toBe('Members (Ids)');
  });

  it('puts any other name in words', () => {
    expect(labelPart(known, 'createdById')).toBe('Created By Id');
    expect(labelPart({}, 'exportPermission')).toBe('Export Permission');
    expect(toWords('GlobalStream')).toBe('Global Stream');
    expect(toWords('account')).toBe('Account');
  });
});
