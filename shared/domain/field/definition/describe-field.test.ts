import { describe, expect, it } from 'vitest';
import { stockDefinitions } from '../../entity/stock/stock-definitions.ts';
import { describeField } from './describe-field.ts';

function described(entityType: string, name: string) {
  const field = stockDefinitions.find((one) => one.name === entityType)?.fields[name];
  if (field === undefined) throw new Error(`${entityType} has no ${name}`);
  return describeField(field);
}

describe('a field as clients know it', () => {
  it('names the kinds of telephone numbers typeList, and options those of others', () => {
    expect(described('Account', 'phoneNumber')).toEqual({
      type: 'phone',
      typeList: ['Office', 'Mobile', 'Fax', 'Other'],
    });
    expect(described('Case', 'priority')).toMatchObject({
      options: ['Low', 'Normal', 'High', 'Urgent'],
    });
  });

  it('names what a foreign field shows as it was asked for', () => {
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

  it('names the other side of a link entity, and keeps to itself what is not for clients', () => {
    expect(described('Account', 'campaign')).toEqual({ type: 'link', entity: 'Campaign' });
    expect(described('TargetList', 'entryCount')).toEqual({
      type: 'int',
      readOnly: true,
      notStorable: true,
    });
  });
});
