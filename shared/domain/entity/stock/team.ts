import type { EntityDefinition } from '../definition/entity-definition.ts';
import { linkToMany } from './links.ts';

export const teamDefinition: EntityDefinition = {
  name: 'Team',
  log: 'directory',
  isObject: false,
  access: 'levels',
  ownedBy: { teams: 'id' },
  isRestorable: true,
  orderBy: 'name',
  order: 'asc',
  fields: {
    name: { type: 'varchar', maxLength: 100, pattern: '[^<>=]+' },
    description: { type: 'text' },
    positionList: { type: 'array' },
    userRole: { type: 'varchar', notStored: true },
    layoutSet: { type: 'link', entityType: 'LayoutSet', foreign: 'teams' },
    workingTimeCalendar: { type: 'link', entityType: 'WorkingTimeCalendar', foreign: 'teams' },
    roles: linkToMany('Role', 'teams'),
  },
};
