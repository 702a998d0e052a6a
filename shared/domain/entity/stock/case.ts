import type { EntityDefinition } from '../definition/entity-definition.ts';
import { businessRecords } from './common-settings.ts';
import { collaborators, linkToMany } from './links.ts';

export const caseDefinition: EntityDefinition = {
  ...businessRecords,
  name: 'Case',
  listFields: ['number', 'status', 'priority', 'account', 'assignedUser', 'createdAt'],
  pageFields: [
    'number',
    'status',
    'priority',
    'type',
    'account',
    'contact',
    'attachments',
    'description',
  ],
  hasVersionNumber: true,
  orderBy: 'number',
  primaryFilters: {
    open: [{ type: 'notIn', attribute: 'status', value: ['Closed', 'Rejected', 'Duplicate'] }],
    closed: [{ type: 'equals', attribute: 'status', value: 'Closed' }],
  },
  boolFilters: ['open'],
  linkOrder: ['meetings', 'calls', 'tasks'],
  fields: {
    name: { type: 'varchar', required: true },
    number: { type: 'autoincrement', readOnly: true },
    status: {
      type: 'enum',
      options: ['New', 'Assigned', 'Pending', 'Closed', 'Rejected', 'Duplicate'],
      default: 'New',
    },
    priority: { type: 'enum', options: ['Low', 'Normal', 'High', 'Urgent'], default: 'Normal' },
    type: { type: 'enum', options: ['', 'Question', 'Incident', 'Problem'] },
    description: { type: 'text' },
    account: { type: 'link', entityType: 'Account', foreign: 'cases' },
    lead: { type: 'link', entityType: 'Lead', foreign: 'cases' },
    contact: {
      type: 'link',
      entityType: 'Contact',
      foreign: 'casesPrimary',
      primaryOf: 'contacts',
    },
    contacts: linkToMany('Contact', 'cases'),
    inboundEmail: { type: 'link', entityType: 'InboundEmail', readOnly: true },
    isInternal: { type: 'bool' },
    collaborators,
    attachments: { type: 'attachmentMultiple', singleReadOnly: true },
  },
};
