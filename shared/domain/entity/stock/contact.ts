import type { EntityDefinition } from '../entity-definition.ts';
import { opportunityRoles } from './opportunity-roles.ts';
import { personPhoneTypes, salutations } from './person-options.ts';
import { targetLists } from './target-lists.ts';

export const contactDefinition: EntityDefinition = {
  name: 'Contact',
  log: 'records',
  isObject: true,
  hasStream: true,
  checksDuplicates: true,
  orderBy: 'createdAt',
  order: 'desc',
  links: {
    opportunities: { entityType: 'Opportunity', foreign: 'contacts' },
    opportunitiesPrimary: { entityType: 'Opportunity', foreign: 'contact' },
    cases: { entityType: 'Case', foreign: 'contacts' },
    casesPrimary: { entityType: 'Case', foreign: 'contact' },
    meetings: { entityType: 'Meeting', foreign: 'contacts' },
    calls: { entityType: 'Call', foreign: 'contacts' },
    tasks: { entityType: 'Task', foreign: 'parent' },
    tasksPrimary: { entityType: 'Task', foreign: 'contact' },
    documents: { entityType: 'Document', foreign: 'contacts' },
  },
  fields: {
    name: { type: 'personName', readOnly: true },
    salutationName: { type: 'enum', options: salutations },
    firstName: { type: 'varchar', maxLength: 100 },
    lastName: { type: 'varchar', required: true, maxLength: 100 },
    title: { type: 'varchar', maxLength: 100 },
    emailAddress: { type: 'email' },
    phoneNumber: { type: 'phone', options: personPhoneTypes },
    doNotCall: { type: 'bool' },
    address: { type: 'address' },
    account: {
      type: 'link',
      entityType: 'Account',
      primaryOf: 'accounts',
      primaryColumns: { role: 'title' },
    },
    accounts: {
      type: 'linkMultiple',
      entityType: 'Account',
      singleReadOnly: true,
      columns: {
        role: {
          type: 'varchar',
          maxLength: 100,
          attribute: 'contactRole',
          foreignAttribute: 'accountRole',
        },
        isInactive: {
          type: 'bool',
          attribute: 'contactIsInactive',
          foreignAttribute: 'accountIsInactive',
        },
      },
    },
    accountType: {
      type: 'foreign',
      link: 'account',
      entityType: 'Account',
      attribute: 'type',
      readOnly: true,
    },
    accountRole: { type: 'varchar', notStored: true },
    accountIsInactive: { type: 'bool', notStored: true },
    opportunityRole: {
      type: 'enum',
      options: opportunityRoles,
      notStored: true,
    },
    acceptanceStatus: { type: 'varchar', notStored: true },
    acceptanceStatusMeetings: { type: 'varchar', notStored: true },
    acceptanceStatusCalls: { type: 'varchar', notStored: true },
    campaign: { type: 'link', entityType: 'Campaign' },
    targetLists,
    targetListIsOptedOut: { type: 'bool', readOnly: true, notStored: true },
    description: { type: 'text' },
    portalUser: { type: 'linkOne', entityType: 'User', readOnly: true },
    hasPortalUser: { type: 'bool', readOnly: true, notStored: true },
    originalLead: {
      type: 'linkOne',
      entityType: 'Lead',
      foreign: 'createdContact',
      readOnly: true,
    },
  },
};
