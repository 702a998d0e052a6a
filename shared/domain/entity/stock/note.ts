import type { EntityDefinition } from '../definition/entity-definition.ts';

/** Long enough for a post in any script. */
const MAX_POST_LENGTH = 20_000;

/** The types of all items in a stream. Only posts are records. */
const types = [
  'Post',
  'Create',
  'CreateRelated',
  'Update',
  'Assign',
  'Relate',
  'Unrelate',
  'EmailReceived',
  'EmailSent',
];

const addressees = {
  type: 'linkMultiple',
  readOnlyAfterCreate: true,
  singleReadOnly: true,
} as const;

/** A post on a record, or to users and teams. All other items in a stream are derived from record events. */
export const noteDefinition: EntityDefinition = {
  name: 'Note',
  log: 'records',
  isObject: false,
  access: 'belonging',
  isPost: true,
  isWatchable: true,
  orderBy: 'createdAt',
  order: 'desc',
  textFilterFields: ['post'],
  fields: {
    type: { type: 'enum', options: types, default: 'Post', maxLength: 24, readOnly: true },
    post: {
      type: 'text',
      required: true,
      requiredUnless: ['attachments'],
      maxLength: MAX_POST_LENGTH,
    },
    // The directory adds every entity type with a stream to this list.
    parent: {
      type: 'linkParent',
      required: true,
      requiredUnless: ['targetType'],
      entityList: [],
      readOnlyAfterCreate: true,
      foreign: 'notes',
      foreignEntityList: [],
    },
    // The readers of a post without a parent (docs/reference/stream.md#posts-to-users-and-teams).
    targetType: {
      type: 'enum',
      // Clients send 'portals', but the post handler rejects it.
      options: ['self', 'all', 'teams', 'users', 'portals'],
      maxLength: 7,
      readOnlyAfterCreate: true,
    },
    users: { ...addressees, entityType: 'User' },
    teams: { ...addressees, entityType: 'Team' },
    attachments: { type: 'attachmentMultiple', singleReadOnly: true },
    isInternal: { type: 'bool' },
    // The users whom the post mentions (docs/reference/stream.md#mentions).
    data: { type: 'jsonObject', readOnly: true },
  },
  knownFields: {
    // Additional attributes of stream items (docs/reference/stream.md).
    related: { type: 'linkParent', readOnly: true },
    number: { type: 'autoincrement', readOnly: true },
    isPinned: { type: 'bool', readOnly: true },
    reactionCounts: { type: 'jsonObject', readOnly: true },
    myReactions: { type: 'jsonArray', readOnly: true },
    createdByGender: { type: 'foreign', link: 'createdBy', field: 'gender' },
    notifiedUserIdList: { type: 'jsonArray', readOnly: true },
    isGlobal: { type: 'bool' },
  },
};
