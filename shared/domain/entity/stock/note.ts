import type { EntityDefinition } from '../definition/entity-definition.ts';

/** Long enough for a post in any writing system. */
const MAX_POST_LENGTH = 20_000;

/** A post that somebody wrote under a record. All other items of a stream follow from the record's events. */
export const noteDefinition: EntityDefinition = {
  name: 'Note',
  log: 'records',
  isObject: false,
  isWatchable: true,
  orderBy: 'createdAt',
  order: 'desc',
  textFilterFields: ['post'],
  fields: {
    type: { type: 'varchar', pattern: 'Post', default: 'Post', readOnlyAfterCreate: true },
    post: {
      type: 'text',
      required: true,
      requiredUnless: ['attachments'],
      maxLength: MAX_POST_LENGTH,
    },
    // The directory adds every entity type with a stream to the list.
    parent: { type: 'linkParent', required: true, entityList: [], readOnlyAfterCreate: true },
    attachments: { type: 'attachmentMultiple', singleReadOnly: true },
  },
};
