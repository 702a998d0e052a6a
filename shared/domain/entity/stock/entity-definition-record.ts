import type { EntityDefinition } from '../definition/entity-definition.ts';

/**
 * Definitions of entity types as records of the directory. The id is the name of the entity type. The record of a
 * shipped type has the additions to it.
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
    // A field without a type overrides settings of a shipped field.
    fields: { type: 'jsonObject', readOnly: true },
    // Removed fields: their columns still exist, with values of their type.
    removedFields: { type: 'jsonObject', readOnly: true },
    links: { type: 'jsonObject', readOnly: true },
    // By name: layouts that replace generated ones.
    layouts: { type: 'jsonObject', readOnly: true },
  },
};
