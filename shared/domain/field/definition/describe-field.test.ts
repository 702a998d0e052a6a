import { describe, expect, it } from 'vitest';
import { stockDefinitions } from '../../entity/stock/stock-definitions.ts';
import { describeField } from './describe-field.ts';

function described(entityType: string, name: string) {
  const field = stockDefinitions.find((one) => one.name === entityType)?.fields[name];
  if (field === undefined) throw new Error(`${entityType} has no ${name}`);
  return describeField(field);
}

describe('describeField', () => {
  it('returns phone number types as typeList, and options of other types as options', () => {
    expect(described('Account', 'phoneNumber')).toEqual({
      type: 'phone',
      typeList: ['Office', 'Mobile', 'Fax', 'Other'],
    });
    expect(described('Case', 'priority')).toMatchObject({
      options: ['Low', 'Normal', 'High', 'Urgent'],
    });
  });

  it('returns the source attribute of a foreign field as its field', () => {
    expect(
      describeField({
        type: 'foreign',
        link: 'account',
        entityType: 'Account',
        attribute: 'industry',
        attributeKind: 'string',
        readOnly: true,
      }),
    ).toEqual({ type: 'foreign', link: 'account', field: 'industry', readOnly: true });
  });

  it('returns the linked type as entity and omits internal settings', () => {
    expect(described('Account', 'campaign')).toEqual({ type: 'link', entity: 'Campaign' });
    expect(described('TargetList', 'entryCount')).toEqual({
      type: 'int',
      readOnly: true,
      notStorable: true,
    });
  });
});
