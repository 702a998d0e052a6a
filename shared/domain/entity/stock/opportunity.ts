import type { EntityDefinition } from '../definition/entity-definition.ts';
import { businessRecords } from './common-settings.ts';
import { linkToMany, originalLeadOf } from './links.ts';
import { leadSources, opportunityRoles } from './options.ts';

const openStages = ['Prospecting', 'Qualification', 'Proposal', 'Negotiation'];
const stages = [...openStages, 'Closed Won', 'Closed Lost'];

export const opportunityDefinition: EntityDefinition = {
  ...businessRecords,
  name: 'Opportunity',
  boardOmits: ['Closed Lost'],
  listFields: ['stage', 'account', 'amount', 'closeDate', 'assignedUser'],
  pageFields: [
    'account',
    'stage',
    'amount',
    'closeDate',
    'probability',
    'contact',
    'leadSource',
    'description',
  ],
  hasVersionNumber: true,
  primaryFilters: {
    open: [{ type: 'notIn', attribute: 'stage', value: ['Closed Won', 'Closed Lost'] }],
    won: [{ type: 'equals', attribute: 'stage', value: 'Closed Won' }],
    lost: [{ type: 'equals', attribute: 'stage', value: 'Closed Lost' }],
  },
  linkOrder: ['meetings', 'calls', 'tasks', 'documents'],
  fields: {
    name: { type: 'varchar', required: true },
    amount: { type: 'currency', required: true, min: 0 },
    amountWeightedConverted: {
      type: 'currencyConverted',
      readOnly: true,
      amount: 'amount',
      percent: 'probability',
    },
    account: {
      type: 'link',
      entityType: 'Account',
      foreign: 'opportunities',
      foreignKeepsLinked: true,
    },
    contact: {
      type: 'link',
      entityType: 'Contact',
      foreign: 'opportunitiesPrimary',
      primaryOf: 'contacts',
    },
    contacts: {
      ...linkToMany('Contact', 'opportunities'),
      columns: {
        role: {
          type: 'enum',
          options: opportunityRoles,
          attribute: 'opportunityRole',
          foreignAttribute: 'contactRole',
        },
      },
    },
    stage: { type: 'enum', options: stages, default: 'Prospecting' },
    lastStage: {
      type: 'enum',
      options: openStages,
      valueBy: {
        attribute: 'stage',
        values: Object.fromEntries(openStages.map((stage) => [stage, stage])),
      },
    },
    probability: {
      type: 'int',
      min: 0,
      max: 100,
      valueBy: {
        attribute: 'stage',
        values: {
          Prospecting: 10,
          Qualification: 20,
          Proposal: 50,
          Negotiation: 80,
          'Closed Won': 100,
          'Closed Lost': 0,
        },
      },
    },
    leadSource: { type: 'enum', options: leadSources },
    closeDate: { type: 'date', required: true },
    contactRole: { type: 'enum', options: opportunityRoles, notStored: true },
    campaign: { type: 'link', entityType: 'Campaign', foreign: 'opportunities' },
    originalLead: originalLeadOf('createdOpportunity'),
    description: { type: 'text' },
  },
};
