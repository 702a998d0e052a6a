import type { EntityDefinition } from '../definition/entity-definition.ts';

const roles = [
  'Attachment',
  'Inline Attachment',
  'Import File',
  'Export File',
  'Mail Merge',
  'Mass Pdf',
];

/**
 * The directory adds every entity type with a field for files to the list. The attachment's own field tells which
 * record.
 */
const holder = { type: 'linkParent', entityList: [], readOnlyAfterCreate: true } as const;

/** The metadata of an uploaded file, whose upload says it. Its bytes stand in a topic of their own. */
export const attachmentDefinition: EntityDefinition = {
  name: 'Attachment',
  isFile: true,
  log: 'records',
  isObject: false,
  access: 'belonging',
  isRestorable: false,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    name: { type: 'varchar', required: true, maxLength: 255 },
    type: { type: 'varchar', maxLength: 100, readOnlyAfterCreate: true },
    size: { type: 'int', readOnlyAfterCreate: true },
    role: { type: 'enum', options: roles, maxLength: 36, readOnlyAfterCreate: true },
    // The field that it was uploaded for, and its entity type: `related` of a single file, `parent` of several.
    field: { type: 'varchar', readOnlyAfterCreate: true },
    related: holder,
    parent: { ...holder, foreign: 'attachments', foreignEntityList: [] },
    sha256: { type: 'varchar', readOnly: true },
  },
  knownFields: {
    source: { type: 'link', entity: 'Attachment', readOnly: true },
    contents: { type: 'text' },
    isBeingUploaded: { type: 'bool', default: false },
    storage: { type: 'varchar', maxLength: 24 },
    storageFilePath: { type: 'varchar', maxLength: 260 },
    global: { type: 'bool', default: false },
  },
};
