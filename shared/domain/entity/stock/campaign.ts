import type { EntityDefinition } from '../definition/entity-definition.ts';

/** What came of mails. Annals sends none. */
const ofMails = { type: 'int', readOnly: true };

export const campaignDefinition: EntityDefinition = {
  name: 'Campaign',
  log: 'records',
  isObject: true,
  hasStream: true,
  orderBy: 'createdAt',
  order: 'desc',
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
    targetLists: {
      type: 'linkMultiple',
      entityType: 'TargetList',
      foreign: 'campaigns',
      singleReadOnly: true,
    },
    excludingTargetLists: {
      type: 'linkMultiple',
      entityType: 'TargetList',
      foreign: 'campaignsExcluding',
      singleReadOnly: true,
    },
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
