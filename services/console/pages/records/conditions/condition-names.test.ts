import { expect, it } from 'vitest';
import type { Entity } from '../../../api/metadata.ts';
import { groupNames } from './condition-names.ts';
import { operatorsOf } from './operators.ts';

const entity = {
  fields: {
    name: { type: 'varchar' },
    industry: { type: 'enum' },
    createdAt: { type: 'datetime', readOnly: true },
    billingAddress: { type: 'address' },
    amountConverted: { type: 'currencyConverted', readOnly: true },
  },
  links: { contacts: { type: 'hasMany', entity: 'Contact' } },
  labelOf: (name: string) => name,
} as unknown as Entity;

it('groups the filters of a list and includes the parts of addresses', () => {
  expect(groupNames(entity)).toEqual([
    { group: 'fields', names: ['createdAt', 'industry', 'name'] },
    {
      group: { address: 'billingAddress' },
      names: ['Street', 'City', 'State', 'PostalCode', 'Country'].map(
        (part) => `billingAddress${part}`,
      ),
    },
    { group: 'links', names: ['contacts'] },
    { group: 'more', names: ['amountConverted'] },
  ]);
});

it('filters by the parts of an address as text', () => {
  const operators = operatorsOf(entity, 'billingAddressCity').map(({ type }) => type);
  expect(operators).toContain('contains');
  expect(operatorsOf(entity, 'shippingAddressCity')).toEqual([]);
});
