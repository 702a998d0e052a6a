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
  fields: {
    name: { type: 'varchar', required: true },
    users: {
      type: 'linkMultiple',
      entityType: 'User',
      singleReadOnly: true,
      columns: { optedOut: { type: 'bool' } },
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
};
