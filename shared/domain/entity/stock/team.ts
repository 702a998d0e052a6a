import type { EntityDefinition } from '../definition/entity-definition.ts';

export const teamDefinition: EntityDefinition = {
  name: 'Team',
  log: 'directory',
  isObject: false,
  orderBy: 'name',
  order: 'asc',
  fields: {
    name: { type: 'varchar', maxLength: 100 },
    description: { type: 'text' },
    positionList: { type: 'array' },
    teamRole: { type: 'varchar', notStored: true },
    roles: { type: 'linkMultiple', entityType: 'Role', foreign: 'teams', singleReadOnly: true },
  },
};
