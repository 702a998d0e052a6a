import type { EntityDefinition } from '../definition/entity-definition.ts';

const targets = ['accounts', 'contacts', 'leads', 'users'];

export const targetListDefinition: EntityDefinition = {
  name: 'TargetList',
  log: 'records',
  isObject: true,
  hasStream: true,
  orderBy: 'createdAt',
  order: 'desc',
  copiedLinks: targets,
  massLinks: targets,
  fields: {
    name: { type: 'varchar', required: true },
    users: {
      type: 'linkMultiple',
      entityType: 'User',
      foreign: 'targetLists',
      singleReadOnly: true,
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
    targetStatus: {
      type: 'enum',
      options: ['Listed', 'Opted Out'],
      readOnly: true,
    },
    isOptedOut: { type: 'bool', readOnly: true },
  },
};
