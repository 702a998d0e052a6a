import type { FieldDefinition } from '../../field/field-types.ts';
import type { ActivityStatuses, EntityDefinition } from '../definition/entity-definition.ts';
import { businessRecords } from './common-settings.ts';
import { collaborators, linkToMany } from './links.ts';
import { acceptanceStatuses } from './options.ts';

export const activityParents = ['Account', 'Lead', 'Contact', 'Opportunity', 'Case'];

/**
 * Returns the parent field of meetings and calls. Contacts and leads use the plain link name for the events that they
 * attend, and a different name for events whose parent they are.
 */
function parentOfEvents(foreign: string): FieldDefinition {
  const children = `${foreign}Children`;
  const foreignOf = { Contact: children, Lead: children };
  return { type: 'linkParent', entityList: activityParents, foreign, foreignOf };
}

/** Returns the attendees of meetings and calls, with their acceptance status. */
function attendees(foreign: string): EntityDefinition['fields'] {
  const status = {
    type: 'enum',
    options: acceptanceStatuses,
    default: 'None',
    attribute: 'acceptanceStatus',
    foreignAttribute: 'acceptanceStatus',
  } as const;
  const columns = { status };
  return {
    users: { ...linkToMany('User', foreign), columns, follows: true },
    contacts: { ...linkToMany('Contact', foreign), columns },
    leads: { ...linkToMany('Lead', foreign), columns },
    // Shown in lists of an attendee's meetings and calls.
    acceptanceStatus: { type: 'enum', options: acceptanceStatuses, notStored: true },
  };
}

/** For synchronization with calendars on other servers. */
const uid = { type: 'varchar', maxLength: 255, readOnly: true };
export const duration = { type: 'duration', start: 'dateStart', end: 'dateEnd' } as const;
/** `[{"type": "Popup", "seconds": 300}]` (docs/reference/activities.md#reminders). */
export const reminders: FieldDefinition = {
  type: 'jsonArray',
  holds: 'reminders',
  singleReadOnly: true,
};
/** Without a default, so API users must set the assigned user explicitly. */
const assignedUser = { type: 'link', entityType: 'User', required: true } as const;
export const eventStatuses: ActivityStatuses = { planned: ['Planned'], past: ['Held', 'Not Held'] };
export const eventStatus: FieldDefinition = {
  type: 'enum',
  options: ['Planned', 'Held', 'Not Held'],
  default: 'Planned',
};

const eventRecords = {
  ...businessRecords,
  template: 'Event',
  activity: eventStatuses,
  primaryFilters: {
    planned: [{ type: 'equals', attribute: 'status', value: 'Planned' }],
    held: [{ type: 'equals', attribute: 'status', value: 'Held' }],
  },
} as const;

export const taskDefinition: EntityDefinition = {
  ...businessRecords,
  name: 'Task',
  boardOmits: ['Canceled', 'Deferred'],
  listFields: ['status', 'priority', 'dateEnd', 'parent', 'assignedUser'],
  pageFields: [
    'parent',
    'status',
    'priority',
    'dateStart',
    'dateEnd',
    'dateCompleted',
    'reminders',
    'attachments',
    'description',
  ],
  activity: { planned: ['Not Started', 'Started'], past: ['Completed'] },
  primaryFilters: {
    actual: [{ type: 'notIn', attribute: 'status', value: ['Completed', 'Canceled', 'Deferred'] }],
    completed: [{ type: 'equals', attribute: 'status', value: 'Completed' }],
  },
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
    parent: {
      type: 'linkParent',
      entityList: ['Account', 'Contact', 'Lead', 'Opportunity', 'Case'],
      foreign: 'tasks',
    },
    account: { type: 'link', entityType: 'Account', foreign: 'tasksPrimary' },
    contact: { type: 'link', entityType: 'Contact', foreign: 'tasksPrimary' },
    description: { type: 'text' },
    collaborators,
    attachments: { type: 'attachmentMultiple', singleReadOnly: true },
    reminders,
    assignedUser: { ...assignedUser, foreign: 'tasks' },
  },
  knownFields: { isOverdue: { type: 'bool', readOnly: true } },
};

export const meetingDefinition: EntityDefinition = {
  ...eventRecords,
  name: 'Meeting',
  pageFields: [
    'parent',
    'dateStart',
    'dateEnd',
    'isAllDay',
    'duration',
    'status',
    'users',
    'contacts',
    'leads',
    'reminders',
    'joinUrl',
    'description',
  ],
  listFields: ['status', 'dateStart', 'parent', 'assignedUser'],
  fields: {
    name: { type: 'varchar', required: true },
    status: eventStatus,
    dateStart: { type: 'datetimeOptional', required: true },
    dateEnd: { type: 'datetimeOptional', required: true },
    isAllDay: { type: 'bool' },
    duration: {
      ...duration,
      offered: { default: 3600, options: [900, 1800, 3600, 7200, 10_800, 86_400] },
    },
    parent: parentOfEvents('meetings'),
    account: { type: 'link', entityType: 'Account', foreign: 'meetingsPrimary' },
    description: { type: 'text' },
    ...attendees('meetings'),
    reminders,
    joinUrl: { type: 'url', maxLength: 320, readOnly: true },
    assignedUser,
  },
  knownFields: { externalService: { type: 'enum', maxLength: 100 }, uid },
};

export const callDefinition: EntityDefinition = {
  ...eventRecords,
  name: 'Call',
  pageFields: [
    'parent',
    'dateStart',
    'dateEnd',
    'duration',
    'status',
    'direction',
    'users',
    'contacts',
    'leads',
    'reminders',
    'description',
  ],
  listFields: ['status', 'dateStart', 'direction', 'parent', 'assignedUser'],
  fields: {
    name: { type: 'varchar', required: true },
    status: eventStatus,
    dateStart: { type: 'datetime', required: true },
    dateEnd: { type: 'datetime', required: true },
    duration: {
      ...duration,
      offered: { default: 300, options: [300, 600, 900, 1800, 2700, 3600, 7200] },
    },
    direction: { type: 'enum', options: ['Outbound', 'Inbound'], default: 'Outbound' },
    parent: parentOfEvents('calls'),
    account: { type: 'link', entityType: 'Account', foreign: 'callsPrimary' },
    description: { type: 'text' },
    ...attendees('calls'),
    reminders,
    assignedUser,
  },
  knownFields: { uid, phoneNumbersMap: { type: 'jsonObject' } },
};
