import type { ActivityStatuses, EntityDefinition, FieldDefinition } from '../entity-definition.ts';

/** What meetings, calls and tasks are about. */
const parent: FieldDefinition = {
  type: 'linkParent',
  entityList: ['Account', 'Lead', 'Contact', 'Opportunity', 'Case'],
};
const account: FieldDefinition = { type: 'link', entityType: 'Account' };
/** Who takes part in meetings and calls, and what they said to it. */
function attendees(entityType: string): FieldDefinition {
  const status = {
    type: 'enum',
    options: ['None', 'Accepted', 'Tentative', 'Declined'],
    default: 'None',
    attribute: 'acceptanceStatus',
  } as const;
  return { type: 'linkMultiple', entityType, singleReadOnly: true, columns: { status } };
}
const users = attendees('User');
const contacts = attendees('Contact');
const leads = attendees('Lead');
export const duration: FieldDefinition = {
  type: 'duration',
  start: 'dateStart',
  end: 'dateEnd',
};
/** Kept for clients that remind their users: `[{"type": "Popup", "seconds": 300}]`. */
export const reminders: FieldDefinition = { type: 'jsonArray', singleReadOnly: true };
/** Nobody is assigned by default: an API user has to say who. */
const assignedUser: FieldDefinition = { type: 'link', entityType: 'User', required: true };
export const eventStatuses: ActivityStatuses = { planned: ['Planned'], past: ['Held', 'Not Held'] };
const eventStatus: FieldDefinition = {
  type: 'enum',
  options: ['Planned', 'Held', 'Not Held'],
  default: 'Planned',
};

const common = {
  log: 'records',
  isObject: true,
  hasStream: true,
  orderBy: 'createdAt',
  order: 'desc',
} as const;

export const taskDefinition: EntityDefinition = {
  ...common,
  name: 'Task',
  activity: { planned: ['Not Started', 'Started'], past: ['Completed'] },
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
    dateCompleted: {
      type: 'datetime',
      readOnly: true,
      stampedWhen: { attribute: 'status', value: 'Completed', isCleared: true },
    },
    parent,
    account,
    contact: { type: 'link', entityType: 'Contact' },
    description: { type: 'text' },
    collaborators: { type: 'linkMultiple', entityType: 'User', maxCount: 30, singleReadOnly: true },
    attachments: { type: 'attachmentMultiple', singleReadOnly: true },
    assignedUser,
  },
};

export const meetingDefinition: EntityDefinition = {
  ...common,
  name: 'Meeting',
  template: 'Event',
  activity: eventStatuses,
  fields: {
    name: { type: 'varchar', required: true },
    status: eventStatus,
    dateStart: { type: 'datetimeOptional', required: true },
    dateEnd: { type: 'datetimeOptional', required: true },
    isAllDay: { type: 'bool' },
    duration,
    parent,
    account,
    description: { type: 'text' },
    users,
    contacts,
    leads,
    reminders,
    joinUrl: { type: 'url', readOnly: true },
    assignedUser,
  },
};

export const callDefinition: EntityDefinition = {
  ...common,
  name: 'Call',
  template: 'Event',
  activity: eventStatuses,
  fields: {
    name: { type: 'varchar', required: true },
    status: eventStatus,
    dateStart: { type: 'datetime', required: true },
    dateEnd: { type: 'datetime', required: true },
    duration,
    direction: { type: 'enum', options: ['Outbound', 'Inbound'], default: 'Outbound' },
    parent,
    account,
    description: { type: 'text' },
    users,
    contacts,
    leads,
    reminders,
    assignedUser,
  },
};
