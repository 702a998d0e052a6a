import type { FieldDefinition } from '../../field/field-definition.ts';
import type { EntityDefinition } from '../entity-definition.ts';

/** The directory puts every entity type with a field for files into the list. Which record it is, its own field tells. */
const holder: FieldDefinition = { type: 'linkParent', entityList: [], readOnly: true };

/** What is known of an uploaded file beside its bytes, which stand in a topic of their own. */
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
    // For which field of which entity type it was uploaded: `related` of one file, `parent` of several.
    field: { type: 'varchar', readOnly: true },
    related: holder,
    parent: holder,
    sha256: { type: 'varchar', readOnly: true },
  },
};
