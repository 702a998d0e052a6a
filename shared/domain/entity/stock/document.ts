import type { EntityDefinition } from '../definition/entity-definition.ts';
import { linkToMany } from './links.ts';

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
    accounts: linkToMany('Account', 'documents'),
    contacts: linkToMany('Contact', 'documents'),
    leads: linkToMany('Lead', 'documents'),
    opportunities: linkToMany('Opportunity', 'documents'),
  },
};
