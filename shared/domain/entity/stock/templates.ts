import type { FieldDefinition } from '../../field/field-types.ts';
import { personPhoneTypes } from '../../field/types/contact/phone.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';
import { activityParents, duration, eventStatus, eventStatuses, reminders } from './activities.ts';
import { personName } from './options.ts';

interface Template extends Partial<EntityDefinition> {
  readonly fields: EntityDefinition['fields'];
}

const description: FieldDefinition = { type: 'text' };
const title: FieldDefinition = { type: 'varchar', required: true, maxLength: 249 };
/** Links through which the records of a type can be parents of meetings, calls and tasks. */
const links: NonNullable<EntityDefinition['links']> = {
  meetings: { entityType: 'Meeting', foreign: 'parent' },
  calls: { entityType: 'Call', foreign: 'parent' },
  tasks: { entityType: 'Task', foreign: 'parent' },
};

/** The initial fields and settings of custom entity types (docs/reference/definitions.md#templates). */
const templates: Readonly<Record<string, Template>> = {
  Base: { fields: { name: title, description } },
  BasePlus: { links, fields: { name: title, description } },
  Event: {
    activity: eventStatuses,
    fields: {
      name: title,
      status: eventStatus,
      dateStart: { type: 'datetimeOptional', required: true },
      dateEnd: { type: 'datetimeOptional', required: true },
      isAllDay: { type: 'bool' },
      duration,
      parent: { type: 'linkParent', entityList: activityParents },
      reminders,
      description,
    },
  },
  Person: {
    checksDuplicates: true,
    links,
    fields: {
      ...personName,
      emailAddress: { type: 'email' },
      phoneNumber: { type: 'phone', options: personPhoneTypes },
      address: { type: 'address' },
      description,
    },
  },
  Company: {
    checksDuplicates: true,
    links,
    fields: {
      name: title,
      website: { type: 'url' },
      emailAddress: { type: 'email' },
      phoneNumber: { type: 'phone', options: ['Office', 'Mobile', 'Fax', 'Other'] },
      billingAddress: { type: 'address' },
      shippingAddress: { type: 'address' },
      description,
    },
  },
};

/** Returns the template of this name, or undefined. */
export function templateOf(name: string): Template | undefined {
  return Object.hasOwn(templates, name) ? templates[name] : undefined;
}

export const templateNames: readonly string[] = Object.keys(templates);
