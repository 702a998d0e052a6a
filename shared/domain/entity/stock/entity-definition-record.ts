import type { EntityDefinition } from '../entity-definition.ts';

/**
 * Definitions of entity types as records of the directory: the id is the name of the entity type. Those of stock types
 * hold what was added to them.
 */
export const entityDefinitionRecord: EntityDefinition = {
  name: 'EntityDefinition',
  log: 'directory',
  isObject: false,
  orderBy: 'createdAt',
  order: 'asc',
  fields: {
    template: { type: 'varchar', readOnly: true },
    label: { type: 'varchar', readOnly: true },
    labelPlural: { type: 'varchar', readOnly: true },
    stream: { type: 'bool', readOnly: true },
    optimisticConcurrencyControl: { type: 'bool', readOnly: true },
    sortBy: { type: 'varchar', readOnly: true },
    sortDirection: { type: 'varchar', readOnly: true },
    textFilterFields: { type: 'array', readOnly: true },
    // Without a type: what is laid over a field that Annals ships.
    fields: { type: 'jsonObject', readOnly: true },
    // Fields that were removed: their columns are still there, with values of their type.
    removedFields: { type: 'jsonObject', readOnly: true },
    links: { type: 'jsonObject', readOnly: true },
  },
};
