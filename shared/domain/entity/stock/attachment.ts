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
 * The directory adds every entity type with a file field to this list. The attachment's `field` names the field of that
 * record.
 */
const holder = { type: 'linkParent', entityList: [], readOnlyAfterCreate: true } as const;

/** The metadata of an uploaded file, set by the upload. The bytes are stored in a separate topic. */
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
    // The field and the record for which the file was uploaded: `related` if the field takes a single file, `parent` if
    // it takes several.
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
