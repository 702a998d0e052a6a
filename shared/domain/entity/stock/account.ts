import type { EntityDefinition } from '../definition/entity-definition.ts';
import { businessRecords } from './common-settings.ts';
import { originalLeadOf, targetListsOf } from './links.ts';
import { formerIndustries, industries } from './options.ts';

export const accountDefinition: EntityDefinition = {
  ...businessRecords,
  name: 'Account',
  listFields: ['type', 'industry', 'website', 'phoneNumber', 'assignedUser'],
  template: 'Company',
  checksDuplicates: true,
  hasVersionNumber: true,
  primaryFilters: {
    customers: [{ type: 'equals', attribute: 'type', value: 'Customer' }],
    resellers: [{ type: 'equals', attribute: 'type', value: 'Reseller' }],
    partners: [{ type: 'equals', attribute: 'type', value: 'Partner' }],
    recentlyCreated: [{ type: 'lastSevenDays', attribute: 'createdAt' }],
  },
  linkOrder: [
    'contacts',
    'contactsPrimary',
    'opportunities',
    'cases',
    'meetings',
    'calls',
    'tasks',
    'meetingsPrimary',
    'callsPrimary',
    'tasksPrimary',
    'documents',
  ],
  sideLinks: ['contactsPrimary', 'meetingsPrimary', 'callsPrimary', 'tasksPrimary'],
  fields: {
    name: { type: 'varchar', required: true, maxLength: 249, pattern: '[^<>=]+' },
    website: { type: 'url' },
    emailAddress: { type: 'email' },
    phoneNumber: { type: 'phone', options: ['Office', 'Mobile', 'Fax', 'Other'] },
    type: { type: 'enum', options: ['', 'Customer', 'Investor', 'Partner', 'Reseller'] },
    industry: { type: 'enum', options: industries, formerOptions: formerIndustries },
    sicCode: { type: 'varchar', maxLength: 40 },
    billingAddress: { type: 'address' },
    shippingAddress: { type: 'address' },
    description: { type: 'text' },
    campaign: { type: 'link', entityType: 'Campaign', foreign: 'accounts' },
    contactRole: { type: 'varchar', maxLength: 100, notStored: true },
    contactIsInactive: { type: 'bool', default: false, notStored: true },
    targetListIsOptedOut: { type: 'bool', readOnly: true, notStored: true },
    billingAddressLatitude: { type: 'float' },
    billingAddressLongitude: { type: 'float' },
    shippingAddressLatitude: { type: 'float' },
    shippingAddressLongitude: { type: 'float' },
    targetLists: targetListsOf('accounts'),
    originalLead: originalLeadOf('createdAccount'),
    isLocked: { type: 'bool', readOnly: true },
  },
  knownFields: {
    targetList: { type: 'link', entity: 'TargetList' },
  },
};
