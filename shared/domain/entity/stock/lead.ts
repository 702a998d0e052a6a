import { personPhoneTypes } from '../../field/types/contact/phone.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';
import { businessRecords } from './common-settings.ts';
import { targetListsOf } from './links.ts';
import { acceptance, formerIndustries, industries, leadSources, personName } from './options.ts';

/** Entity types to which a lead can be converted, in order of creation: later records can link to earlier records. */
export const conversionTargets = ['Account', 'Contact', 'Opportunity'] as const;
export const convertedStatus = 'Converted';

export const leadDefinition: EntityDefinition = {
  ...businessRecords,
  name: 'Lead',
  listFields: [
    'status',
    'accountName',
    'emailAddress',
    'phoneNumber',
    'source',
    'assignedUser',
    'createdAt',
  ],
  pageFields: [
    'accountName',
    'title',
    'emailAddress',
    'phoneNumber',
    'website',
    'status',
    'source',
    'opportunityAmount',
    'industry',
    'campaign',
    'doNotCall',
    'address',
    'description',
  ],
  template: 'Person',
  checksDuplicates: true,
  nameRequiredUnless: ['accountName', 'emailAddress', 'phoneNumber'],
  primaryFilters: {
    actual: [{ type: 'notIn', attribute: 'status', value: ['Converted', 'Recycled', 'Dead'] }],
    active: [{ type: 'in', attribute: 'status', value: ['Assigned', 'In Process'] }],
    converted: [{ type: 'equals', attribute: 'status', value: 'Converted' }],
  },
  conversion: {
    targets: conversionTargets,
    status: convertedStatus,
    fields: {
      Account: { name: 'accountName', billingAddress: 'address' },
      Contact: {},
      Opportunity: { amount: 'opportunityAmount', leadSource: 'source' },
    },
  },
  linkOrder: ['cases', 'meetings', 'calls', 'tasks', 'documents'],
  sideLinks: ['meetingsChildren', 'callsChildren'],
  fields: {
    ...personName,
    lastName: { type: 'varchar', maxLength: 100 },
    title: { type: 'varchar', maxLength: 100 },
    status: {
      type: 'enum',
      options: ['New', 'Assigned', 'In Process', 'Converted', 'Recycled', 'Dead'],
      default: 'New',
    },
    source: { type: 'enum', options: leadSources },
    industry: { type: 'enum', options: industries, formerOptions: formerIndustries },
    opportunityAmount: { type: 'currency', min: 0 },
    website: { type: 'url' },
    emailAddress: { type: 'email' },
    phoneNumber: { type: 'phone', options: personPhoneTypes },
    address: { type: 'address' },
    doNotCall: { type: 'bool' },
    description: { type: 'text' },
    accountName: { type: 'varchar' },
    convertedAt: {
      type: 'datetime',
      readOnly: true,
      isIndexed: true,
      stampedWhen: { attribute: 'status', value: convertedStatus },
    },
    // The decision to convert the lead. The remaining steps of the conversion follow it.
    conversion: { type: 'secret', readOnly: true },
    createdAccount: { type: 'link', entityType: 'Account' },
    createdContact: { type: 'link', entityType: 'Contact' },
    createdOpportunity: { type: 'link', entityType: 'Opportunity' },
    campaign: { type: 'link', entityType: 'Campaign', foreign: 'leads' },
    targetLists: targetListsOf('leads'),
    targetListIsOptedOut: { type: 'bool', readOnly: true, notStored: true },
    ...acceptance,
  },
  knownFields: {
    targetList: { type: 'link', entity: 'TargetList' },
  },
};
