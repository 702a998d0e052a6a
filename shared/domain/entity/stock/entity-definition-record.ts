import type { EntityDefinition } from '../definition/entity-definition.ts';

/** The records of the directory that define entity types; the id is the type's name. For shipped types: only the changes. */
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
    // The columns of removed fields still exist, with values of their type.
    removedFields: { type: 'jsonObject', readOnly: true },
    links: { type: 'jsonObject', readOnly: true },
    // Keyed by name: layouts that replace generated ones.
    layouts: { type: 'jsonObject', readOnly: true },
  },
};
