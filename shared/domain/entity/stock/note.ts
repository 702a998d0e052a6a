import type { EntityDefinition } from '../entity-definition.ts';

/** Holds a post in every writing system; what is longer is a document. */
const maxPostLength = 20_000;

/** What people write under a record. All else that a stream shows is told by the events of the record itself. */
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
      maxLength: maxPostLength,
    },
    // The directory puts every entity type with a stream into the list.
    parent: { type: 'linkParent', required: true, entityList: [], readOnlyAfterCreate: true },
    attachments: { type: 'attachmentMultiple', singleReadOnly: true },
  },
};
