import type { EntityDefinition } from '../definition/entity-definition.ts';

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
    description: { type: 'text' },
  },
};
