import type { FieldDefinition } from '../../field/field-definition.ts';
import type { EntityDefinition } from '../definition/entity-definition.ts';

/**
 * The directory adds every entity type with a field for files to the list. The attachment's own field tells which
 * record.
 */
const holder: FieldDefinition = { type: 'linkParent', entityList: [], readOnly: true };

/** The metadata of an uploaded file. Its bytes stand in a topic of their own. */
export const attachmentDefinition: EntityDefinition = {
  name: 'Attachment',
  log: 'records',
  isObject: false,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    name: { type: 'varchar', required: true },
    type: { type: 'varchar', maxLength: 100, readOnly: true },
    size: { type: 'int', readOnly: true },
    role: { type: 'enum', options: ['Attachment', 'Export File'], readOnly: true },
    // The field that it was uploaded for, and its entity type: `related` of a single file, `parent` of several.
    field: { type: 'varchar', readOnly: true },
    related: holder,
    parent: holder,
    sha256: { type: 'varchar', readOnly: true },
  },
};
