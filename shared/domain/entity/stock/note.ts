import type { EntityDefinition } from '../definition/entity-definition.ts';

/** Long enough for a post in any script. */
const MAX_POST_LENGTH = 20_000;

/** The types of all stream items. Only posts are records. */
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

/** A post written by a user under a record. All other stream items are derived from the record's events. */
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
    // The directory adds every entity type with a stream to the list.
    parent: {
      type: 'linkParent',
      required: true,
      entityList: [],
      readOnlyAfterCreate: true,
      foreign: 'notes',
      foreignEntityList: [],
    },
    attachments: { type: 'attachmentMultiple', singleReadOnly: true },
    isInternal: { type: 'bool' },
  },
  knownFields: {
    // Additional attributes of stream items (docs/reference/stream.md).
    data: { type: 'jsonObject', readOnly: true },
    related: { type: 'linkParent', readOnly: true },
    number: { type: 'autoincrement', readOnly: true },
    isPinned: { type: 'bool', readOnly: true },
    reactionCounts: { type: 'jsonObject', readOnly: true },
    myReactions: { type: 'jsonArray', readOnly: true },
    createdByGender: { type: 'foreign', link: 'createdBy', field: 'gender' },
    notifiedUserIdList: { type: 'jsonArray', readOnly: true },
    // For posts that address a different audience than the readers of a record.
    targetType: {
      type: 'enum',
      options: ['self', 'all', 'teams', 'users', 'portals'],
      maxLength: 7,
    },
    teams: { type: 'linkMultiple', entity: 'Team' },
    users: { type: 'linkMultiple', entity: 'User' },
    isGlobal: { type: 'bool' },
  },
};
