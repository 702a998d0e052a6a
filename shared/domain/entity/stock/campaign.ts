import type { EntityDefinition } from '../definition/entity-definition.ts';
import { businessRecords } from './common-settings.ts';
import { linkToMany } from './links.ts';

/** E-mail statistics. Annals does not send e-mails. */
const ofMails = { type: 'int', readOnly: true };

export const campaignDefinition: EntityDefinition = {
  ...businessRecords,
  name: 'Campaign',
  pageFields: [
    'status',
    'type',
    'startDate',
    'endDate',
    'budget',
    'leadCreatedCount',
    'targetLists',
    'excludingTargetLists',
    'description',
  ],
  fields: {
    name: { type: 'varchar', required: true },
    status: {
      type: 'enum',
      options: ['Planning', 'Active', 'Inactive', 'Complete'],
      default: 'Planning',
    },
    type: {
      type: 'enum',
      options: ['Email', 'Newsletter', 'Informational Email', 'Web', 'Television', 'Radio', 'Mail'],
      default: 'Email',
      maxLength: 64,
    },
    startDate: { type: 'date' },
    endDate: { type: 'date' },
    budget: { type: 'currency', min: 0 },
    targetLists: linkToMany('TargetList', 'campaigns'),
    excludingTargetLists: linkToMany('TargetList', 'campaignsExcluding'),
    description: { type: 'text' },
    mailMergeOnlyWithAddress: { type: 'bool', default: true },
    leadCreatedCount: {
      type: 'int',
      readOnly: true,
      notStored: true,
      counts: { links: ['leads'] },
    },
  },
  knownFields: {
    sentCount: ofMails,
    openedCount: ofMails,
    clickedCount: ofMails,
    optedInCount: ofMails,
    optedOutCount: ofMails,
    bouncedCount: ofMails,
    hardBouncedCount: ofMails,
    softBouncedCount: ofMails,
    openedPercentage: ofMails,
    clickedPercentage: ofMails,
    optedOutPercentage: ofMails,
    bouncedPercentage: ofMails,
    revenue: { type: 'currency', readOnly: true },
  },
};

const targets = ['accounts', 'contacts', 'leads', 'users'];

export const targetListDefinition: EntityDefinition = {
  ...businessRecords,
  name: 'TargetList',
  pageFields: ['entryCount', 'optedOutCount', 'description'],
  copiedLinks: targets,
  massLinks: targets,
  fields: {
    name: { type: 'varchar', required: true },
    users: {
      ...linkToMany('User', 'targetLists'),
      columns: { optedOut: { type: 'bool', attribute: 'targetListIsOptedOut' } },
    },
    entryCount: { type: 'int', readOnly: true, notStored: true, counts: { links: targets } },
    optedOutCount: {
      type: 'int',
      readOnly: true,
      notStored: true,
      counts: { links: targets, column: 'optedOut' },
    },
    description: { type: 'text' },
  },
  knownFields: {
    sourceCampaign: { type: 'link', entity: 'Campaign' },
    includingActionList: { type: 'multiEnum' },
    excludingActionList: { type: 'multiEnum' },
    targetStatus: { type: 'enum', options: ['Listed', 'Opted Out'], readOnly: true },
    isOptedOut: { type: 'bool', readOnly: true },
  },
};
