import type { EntityDefinition } from '../definition/entity-definition.ts';
import { businessRecords } from './common-settings.ts';
import { linkToMany } from './links.ts';

const targets = ['accounts', 'contacts', 'leads', 'users'];

export const targetListDefinition: EntityDefinition = {
  ...businessRecords,
  name: 'TargetList',
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
