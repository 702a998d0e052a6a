import type { FieldDefinition } from '../../field/field-definition.ts';
import type { ActivityStatuses, EntityDefinition } from '../definition/entity-definition.ts';

const parents = ['Account', 'Lead', 'Contact', 'Opportunity', 'Case'];
/** Contacts and leads are no parents here: meetings and calls are about them if they take part. */
const parentsOfEvents = ['Account', 'Opportunity', 'Case'];

/** The parent of meetings, calls and tasks. */
function parentOf(foreign: string, foreignEntityList: readonly string[]): FieldDefinition {
  return { type: 'linkParent', entityList: parents, foreign, foreignEntityList };
}

/** Participants of meetings and calls, and whether they accepted. */
function attendees(entityType: string, foreign?: string): FieldDefinition {
  const status = {
    type: 'enum',
    options: ['None', 'Accepted', 'Tentative', 'Declined'],
    default: 'None',
    attribute: 'acceptanceStatus',
  } as const;
  const named = foreign === undefined ? {} : { foreign };
  const columns = { status };
  return { type: 'linkMultiple', entityType, ...named, singleReadOnly: true, columns };
}
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
    parent: parentOf('tasks', parents),
    account: { type: 'link', entityType: 'Account', foreign: 'tasksPrimary' },
    contact: { type: 'link', entityType: 'Contact', foreign: 'tasksPrimary' },
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
    parent: parentOf('meetings', parentsOfEvents),
    account: { type: 'link', entityType: 'Account', foreign: 'meetingsPrimary' },
    description: { type: 'text' },
    users: attendees('User'),
    contacts: attendees('Contact', 'meetings'),
    leads: attendees('Lead', 'meetings'),
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
    parent: parentOf('calls', parentsOfEvents),
    account: { type: 'link', entityType: 'Account', foreign: 'callsPrimary' },
    description: { type: 'text' },
    users: attendees('User'),
    contacts: attendees('Contact', 'calls'),
    leads: attendees('Lead', 'calls'),
    reminders,
    assignedUser,
  },
};
