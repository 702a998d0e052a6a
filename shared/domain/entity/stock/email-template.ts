import type { EntityDefinition } from '../definition/entity-definition.ts';

/** E-mail templates, which lead captures use. */
export const emailTemplateDefinition: EntityDefinition = {
  name: 'EmailTemplate',
  log: 'records',
  isObject: true,
  orderBy: 'createdAt',
  order: 'desc',
  textFilterFields: ['name', 'subject'],
  primaryFilters: {
    actual: [
      { type: 'equals', attribute: 'status', value: 'Active' },
      { type: 'isFalse', attribute: 'oneOff' },
    ],
  },
  fields: {
    name: { type: 'varchar', required: true },
    subject: { type: 'varchar' },
    body: { type: 'wysiwyg' },
    isHtml: { type: 'bool', default: true },
    status: { type: 'enum', options: ['Active', 'Inactive'], default: 'Active', maxLength: 8 },
    oneOff: { type: 'bool', default: false },
    attachments: { type: 'attachmentMultiple', singleReadOnly: true },
    description: { type: 'text' },
  },
};
