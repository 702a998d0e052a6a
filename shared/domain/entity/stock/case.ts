import type { EntityDefinition } from '../entity-definition.ts';

export const caseDefinition: EntityDefinition = {
  name: 'Case',
  log: 'records',
  isObject: true,
  hasStream: true,
  hasVersionNumber: true,
  orderBy: 'number',
  order: 'desc',
  links: {
    meetings: { entityType: 'Meeting', foreign: 'parent' },
    calls: { entityType: 'Call', foreign: 'parent' },
    tasks: { entityType: 'Task', foreign: 'parent' },
  },
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
    account: { type: 'link', entityType: 'Account' },
    lead: { type: 'link', entityType: 'Lead' },
    contact: { type: 'link', entityType: 'Contact', primaryOf: 'contacts' },
    contacts: { type: 'linkMultiple', entityType: 'Contact', singleReadOnly: true },
    inboundEmail: { type: 'link', entityType: 'InboundEmail', readOnly: true },
    isInternal: { type: 'bool' },
    collaborators: {
      type: 'linkMultiple',
      entityType: 'User',
      maxCount: 30,
      singleReadOnly: true,
    },
    attachments: { type: 'attachmentMultiple', singleReadOnly: true },
  },
};
