import type { EntityDefinition } from '../entity-definition.ts';
import { industries } from './industries.ts';

export const accountDefinition: EntityDefinition = {
  name: 'Account',
  log: 'records',
  isObject: true,
  hasVersionNumber: true,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    name: { type: 'varchar', required: true, maxLength: 249, pattern: '[^<>=]+' },
    website: { type: 'url' },
    emailAddress: { type: 'email' },
    phoneNumber: { type: 'phone', options: ['Office', 'Mobile', 'Fax', 'Other'] },
    type: { type: 'enum', options: ['', 'Customer', 'Investor', 'Partner', 'Reseller'] },
    industry: { type: 'enum', options: industries },
    sicCode: { type: 'varchar', maxLength: 40 },
    billingAddress: { type: 'address' },
    shippingAddress: { type: 'address' },
    description: { type: 'text' },
    campaign: { type: 'link', entityType: 'Campaign' },
    contactRole: { type: 'varchar', notStored: true },
    contactIsInactive: { type: 'bool', notStored: true },
    targetListIsOptedOut: { type: 'bool', readOnly: true, notStored: true },
    billingAddressLatitude: { type: 'float' },
    billingAddressLongitude: { type: 'float' },
    shippingAddressLatitude: { type: 'float' },
    shippingAddressLongitude: { type: 'float' },
    targetLists: { type: 'linkMultiple', entityType: 'TargetList', singleReadOnly: true },
    originalLead: { type: 'link', entityType: 'Lead', readOnly: true },
    isLocked: { type: 'bool', readOnly: true },
  },
};
