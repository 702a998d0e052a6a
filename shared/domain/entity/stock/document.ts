import type { EntityDefinition } from '../definition/entity-definition.ts';

export const documentDefinition: EntityDefinition = {
  name: 'Document',
  log: 'records',
  isObject: true,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    name: { type: 'varchar', required: true },
    file: { type: 'file', required: true },
    status: {
      type: 'enum',
      options: ['Draft', 'Active', 'Canceled', 'Expired'],
      default: 'Active',
    },
    type: { type: 'enum', options: ['', 'Contract', 'NDA', 'EULA', 'License Agreement'] },
    publishDate: { type: 'date', required: true },
    expirationDate: { type: 'date' },
    description: { type: 'text' },
    accounts: {
      type: 'linkMultiple',
      entityType: 'Account',
      foreign: 'documents',
      singleReadOnly: true,
    },
    contacts: {
      type: 'linkMultiple',
      entityType: 'Contact',
      foreign: 'documents',
      singleReadOnly: true,
    },
    leads: { type: 'linkMultiple', entityType: 'Lead', foreign: 'documents', singleReadOnly: true },
    opportunities: {
      type: 'linkMultiple',
      entityType: 'Opportunity',
      foreign: 'documents',
      singleReadOnly: true,
    },
  },
};
