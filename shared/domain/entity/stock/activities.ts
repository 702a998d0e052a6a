import type { EntityDefinition, FieldDefinition } from '../entity-definition.ts';

/** What meetings, calls and tasks are about. */
const parent: FieldDefinition = {
  type: 'linkParent',
  entityList: ['Account', 'Lead', 'Contact', 'Opportunity', 'Case'],
};
const account: FieldDefinition = { type: 'link', entityType: 'Account' };
const users: FieldDefinition = { type: 'linkMultiple', entityType: 'User', singleReadOnly: true };
const contacts: FieldDefinition = {
  type: 'linkMultiple',
  entityType: 'Contact',
  singleReadOnly: true,
};
const leads: FieldDefinition = { type: 'linkMultiple', entityType: 'Lead', singleReadOnly: true };
const eventStatus: FieldDefinition = {
  type: 'enum',
  options: ['Planned', 'Held', 'Not Held'],
  default: 'Planned',
};

const common = {
  log: 'records',
  isObject: true,
  orderBy: 'createdAt',
  order: 'desc',
} as const;

export const taskDefinition: EntityDefinition = {
  ...common,
  name: 'Task',
  fields: {
    name: { type: 'varchar', required: true },
    status: {
      type: 'enum',
      options: ['Not Started', 'Started', 'Completed', 'Canceled', 'Deferred'],
      default: 'Not Started',
    },
    priority: { type: 'enum', options: ['Low', 'Normal', 'High', 'Urgent'], default: 'Normal' },
    dateStart: { type: 'datetimeOptional' },
    dateEnd: { type: 'datetimeOptional' },
    dateCompleted: { type: 'datetime', readOnly: true },
    parent,
    account,
    contact: { type: 'link', entityType: 'Contact' },
    description: { type: 'text' },
    collaborators: { type: 'linkMultiple', entityType: 'User', maxCount: 30, singleReadOnly: true },
  },
};

export const meetingDefinition: EntityDefinition = {
  ...common,
  name: 'Meeting',
  fields: {
    name: { type: 'varchar', required: true },
    status: eventStatus,
    dateStart: { type: 'datetimeOptional', required: true },
    dateEnd: { type: 'datetimeOptional', required: true },
    isAllDay: { type: 'bool' },
    parent,
    account,
    description: { type: 'text' },
    users,
    contacts,
    leads,
    joinUrl: { type: 'url', readOnly: true },
  },
};

export const callDefinition: EntityDefinition = {
  ...common,
  name: 'Call',
  fields: {
    name: { type: 'varchar', required: true },
    status: eventStatus,
    dateStart: { type: 'datetime', required: true },
    dateEnd: { type: 'datetime', required: true },
    direction: { type: 'enum', options: ['Outbound', 'Inbound'], default: 'Outbound' },
    parent,
    account,
    description: { type: 'text' },
    users,
    contacts,
    leads,
  },
};
