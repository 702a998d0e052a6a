import { personPhoneTypes } from '../../field/types/contact/phone.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';
import { businessRecords } from './common-settings.ts';
import { linkToMany, originalLeadOf, targetListsOf } from './links.ts';
import { acceptance, opportunityRoles, personName } from './options.ts';

export const contactDefinition: EntityDefinition = {
  ...businessRecords,
  name: 'Contact',
  listFields: ['account', 'title', 'emailAddress', 'phoneNumber', 'assignedUser'],
  pageFields: [
    'account',
    'title',
    'emailAddress',
    'phoneNumber',
    'doNotCall',
    'address',
    'description',
  ],
  template: 'Person',
  checksDuplicates: true,
  primaryFilters: {
    portalUsers: [{ type: 'isLinked', attribute: 'portalUser' }],
    notPortalUsers: [{ type: 'isNotLinked', attribute: 'portalUser' }],
    accountActive: [{ type: 'isLinked', attribute: 'account' }],
  },
  linkOrder: [
    'opportunities',
    'opportunitiesPrimary',
    'cases',
    'casesPrimary',
    'meetings',
    'calls',
    'tasks',
    'tasksPrimary',
    'documents',
  ],
  sideLinks: [
    'opportunitiesPrimary',
    'casesPrimary',
    'tasksPrimary',
    'meetingsChildren',
    'callsChildren',
  ],
  fields: {
    ...personName,
    title: { type: 'varchar', maxLength: 100 },
    emailAddress: { type: 'email' },
    phoneNumber: { type: 'phone', options: personPhoneTypes },
    doNotCall: { type: 'bool' },
    address: { type: 'address' },
    account: {
      type: 'link',
      entityType: 'Account',
      foreign: 'contactsPrimary',
      primaryOf: 'accounts',
      primaryColumns: { role: 'title' },
    },
    accounts: {
      ...linkToMany('Account', 'contacts'),
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
    opportunityRole: { type: 'enum', options: opportunityRoles, notStored: true },
    ...acceptance,
    campaign: { type: 'link', entityType: 'Campaign', foreign: 'contacts' },
    targetLists: targetListsOf('contacts'),
    targetListIsOptedOut: { type: 'bool', readOnly: true, notStored: true },
    description: { type: 'text' },
    portalUser: { type: 'linkOne', entityType: 'User', readOnly: true },
    hasPortalUser: { type: 'bool', readOnly: true, notStored: true },
    originalLead: originalLeadOf('createdContact'),
  },
  knownFields: {
    targetList: { type: 'link', entity: 'TargetList' },
    accountAnyId: { type: 'varchar' },
  },
};
