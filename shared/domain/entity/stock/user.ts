import { personPhoneTypes } from '../../field/types/contact/phone.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';
import { salutations } from './options/salutations.ts';

export const userDefinition: EntityDefinition = {
  name: 'User',
  log: 'directory',
  isObject: false,
  isExtensible: true,
  orderBy: 'userName',
  order: 'asc',
  fields: {
    userName: { type: 'varchar', required: true, maxLength: 50, pattern: '[a-z0-9@._\\-]+' },
    name: { type: 'personName', readOnly: true },
    salutationName: { type: 'enum', options: salutations },
    firstName: { type: 'varchar', maxLength: 100 },
    lastName: { type: 'varchar', required: true, maxLength: 100 },
    type: { type: 'enum', options: ['regular', 'admin', 'api'], default: 'regular' },
    passwordHash: { type: 'secret', readOnly: true },
    authMethod: { type: 'enum', options: ['', 'ApiKey', 'Hmac'], adminOnly: true },
    apiKey: { type: 'secret', readOnly: true },
    apiKeyHash: { type: 'secret', readOnly: true },
    secretKey: { type: 'secret', readOnly: true },
    isActive: { type: 'bool', default: true },
    title: { type: 'varchar', maxLength: 100 },
    gender: { type: 'enum', options: ['', 'Male', 'Female', 'Neutral'] },
    avatar: { type: 'image', adminOnly: true },
    avatarColor: { type: 'colorpicker' },
    emailAddress: { type: 'email' },
    phoneNumber: { type: 'phone', options: personPhoneTypes },
    teams: {
      type: 'linkMultiple',
      entityType: 'Team',
      foreign: 'users',
      singleReadOnly: true,
      columns: {
        role: {
          type: 'varchar',
          maxLength: 100,
          attribute: 'teamRole',
          foreignAttribute: 'userRole',
        },
      },
    },
    userRole: { type: 'varchar', notStored: true },
    acceptanceStatus: { type: 'varchar', notStored: true },
    defaultTeam: { type: 'link', entityType: 'Team' },
    roles: { type: 'linkMultiple', entityType: 'Role', foreign: 'users', singleReadOnly: true },
    // From the log-ins, which every process has in memory.
    lastAccess: {
      type: 'datetime',
      readOnly: true,
      notStored: true,
      singleReadOnly: true,
      adminOnly: true,
    },
  },
};
