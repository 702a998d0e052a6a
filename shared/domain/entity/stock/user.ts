import { personPhoneTypes } from '../../field/types/contact/phone.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';
import { linkToMany } from './links.ts';
import { acceptance, personName } from './options.ts';

/** The types of human users, as opposed to API users. */
const people = ['regular', 'admin'];
/** The fields that people with edit access may change in their user record. */
const ownFields = [
  'salutationName',
  'firstName',
  'middleName',
  'lastName',
  'title',
  'emailAddress',
  'phoneNumber',
  'avatar',
];

export const userDefinition: EntityDefinition = {
  name: 'User',
  log: 'directory',
  isObject: false,
  access: 'levels',
  ownedBy: { owner: 'id' },
  opensSecrets: { attributes: ['apiKey', 'secretKey'], toAdministratorsOnly: true },
  openFields: {
    read: ['name', ...ownFields, 'userName', 'type', 'isActive', 'teams', 'roles'],
    edit: ownFields,
  },
  // Only administrators see API users and inactive users in lists (docs/reference/access.md#users).
  listedOnly: { isActive: true, type: people },
  isRestorable: true,
  textFilterFields: ['name', 'middleName', 'lastName', 'userName', 'emailAddress'],
  isExtensible: true,
  orderBy: 'userName',
  order: 'asc',
  alwaysListed: ['name', 'userName', 'isActive', 'type'],
  primaryFilters: {
    active: [
      { type: 'isTrue', attribute: 'isActive' },
      { type: 'in', attribute: 'type', value: people },
    ],
    activeApi: [
      { type: 'isTrue', attribute: 'isActive' },
      { type: 'equals', attribute: 'type', value: 'api' },
    ],
    activePortal: [{ type: 'none', attribute: 'type' }],
    portal: [{ type: 'none', attribute: 'type' }],
    api: [{ type: 'equals', attribute: 'type', value: 'api' }],
    internal: [{ type: 'in', attribute: 'type', value: people }],
  },
  boolFilters: ['onlyMe', 'onlyMyTeam'],
  typeFilters: ['internal', 'portal', 'api'],
  sentProperties: {
    // Stored as a hash.
    password: { type: 'string', minLength: 8, writeOnly: true },
    // Sends a new user a link to set a password.
    sendAccessInfo: { type: 'boolean', writeOnly: true },
  },
  // The last name of an API user defaults to its user name.
  filledIn: ['lastName'],
  fields: {
    userName: { type: 'varchar', required: true, maxLength: 50, pattern: '[a-z0-9@._\\-]+' },
    ...personName,
    // Some types exist only for client compatibility; see services/command/directory/user-rules.ts.
    type: {
      type: 'enum',
      options: ['regular', 'admin', 'portal', 'system', 'super-admin', 'api'],
      default: 'regular',
      maxLength: 24,
    },
    passwordHash: { type: 'secret', readOnly: true },
    authMethod: {
      type: 'enum',
      options: ['', 'ApiKey', 'Hmac'],
      maxLength: 24,
      adminOnly: true,
    },
    apiKey: { type: 'secret', readOnly: true },
    apiKeyHash: { type: 'secret', readOnly: true },
    secretKey: { type: 'secret', readOnly: true },
    isActive: { type: 'bool', default: true },
    title: { type: 'varchar', maxLength: 100 },
    gender: { type: 'enum', options: ['', 'Male', 'Female', 'Neutral'] },
    avatar: { type: 'image' },
    avatarColor: { type: 'colorpicker' },
    emailAddress: { type: 'email' },
    phoneNumber: { type: 'phone', options: personPhoneTypes },
    teams: {
      ...linkToMany('Team', 'users'),
      columns: {
        role: {
          type: 'varchar',
          maxLength: 100,
          attribute: 'userRole',
          foreignAttribute: 'teamRole',
        },
      },
    },
    teamRole: { type: 'varchar', notStored: true },
    ...acceptance,
    targetListIsOptedOut: { type: 'bool', readOnly: true, notStored: true },
    defaultTeam: { type: 'link', entityType: 'Team' },
    roles: linkToMany('Role', 'users'),
    layoutSet: { type: 'link', entityType: 'LayoutSet', adminOnly: true },
    workingTimeCalendar: { type: 'link', entityType: 'WorkingTimeCalendar', adminOnly: true },
    // Derived from log-ins, which every process holds in memory.
    lastAccess: {
      type: 'datetime',
      readOnly: true,
      notStored: true,
      singleReadOnly: true,
      adminOnly: true,
    },
  },
  knownFields: {
    // Shown to administrators (shared/domain/access/opened-for.ts).
    apiKey: { type: 'varchar', maxLength: 100, readOnly: true },
    secretKey: { type: 'varchar', maxLength: 100, readOnly: true },
    password: { type: 'password', maxLength: 150 },
    passwordConfirm: { type: 'password', maxLength: 150 },
    passwordVersion: { type: 'int', default: 0, readOnly: true },
    position: { type: 'varchar', maxLength: 100, readOnly: true },
    sendAccessInfo: { type: 'bool' },
    // Attributes of a log-in.
    token: { type: 'varchar' },
    authTokenId: { type: 'varchar' },
    authLogRecordId: { type: 'varchar' },
    ipAddress: { type: 'varchar' },
    userData: { type: 'linkOne' },
    auth2FA: { type: 'foreign', link: 'userData', field: 'auth2FA', readOnly: true },
    // Clients need these attributes to write e-mails.
    emailAddressList: { type: 'array', readOnly: true },
    userEmailAddressList: { type: 'array', readOnly: true },
    excludeFromReplyEmailAddressList: { type: 'array', readOnly: true },
    recordAccessLevels: { type: 'jsonObject', readOnly: true },
  },
};
