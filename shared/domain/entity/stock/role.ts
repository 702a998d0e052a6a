import type { FieldDefinition } from '../../field/field-types.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';

const leveled = permission('all', 'team', 'no');
const switched = permission('yes', 'no');

function permission(...levels: readonly string[]): FieldDefinition {
  return { type: 'enum', options: ['not-set', ...levels], default: 'not-set' };
}

export const roleDefinition: EntityDefinition = {
  name: 'Role',
  log: 'directory',
  isObject: false,
  isRestorable: true,
  orderBy: 'name',
  order: 'asc',
  fields: {
    name: { type: 'varchar', required: true, maxLength: 150 },
    assignmentPermission: leveled,
    userPermission: leveled,
    messagePermission: leveled,
    mentionPermission: leveled,
    userCalendarPermission: leveled,
    groupEmailAccountPermission: leveled,
    followerManagementPermission: leveled,
    portalPermission: switched,
    exportPermission: switched,
    massUpdatePermission: switched,
    dataPrivacyPermission: switched,
    auditPermission: switched,
    lockPermission: switched,
    data: { type: 'jsonObject' },
    fieldData: { type: 'jsonObject' },
  },
  knownFields: {
    info: { type: 'base', readOnly: true },
  },
};
