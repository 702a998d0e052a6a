import type { EntityDefinition } from '../definition/entity-definition.ts';
import { businessRecords } from './common-settings.ts';
import { linkToMany } from './links.ts';

/** Knowledge base articles. Annals has no portals and no categories. */
export const knowledgeBaseArticleDefinition: EntityDefinition = {
  ...businessRecords,
  name: 'KnowledgeBaseArticle',
  pageFields: [
    'status',
    'language',
    'publishDate',
    'expirationDate',
    'attachments',
    'description',
    'body',
  ],
  textFilterFields: ['name', 'description'],
  primaryFilters: {
    published: [{ type: 'equals', attribute: 'status', value: 'Published' }],
  },
  fields: {
    name: { type: 'varchar', required: true },
    status: {
      type: 'enum',
      options: ['Draft', 'In Review', 'Published', 'Archived'],
      default: 'Draft',
    },
    language: {
      type: 'enum',
      options: [
        '',
        'de_DE',
        'en_GB',
        'en_US',
        'es_ES',
        'fr_FR',
        'it_IT',
        'nl_NL',
        'pl_PL',
        'pt_BR',
      ],
    },
    type: { type: 'enum', options: ['Article'], default: 'Article' },
    publishDate: { type: 'date' },
    expirationDate: { type: 'date' },
    order: { type: 'int' },
    description: { type: 'text' },
    attachments: { type: 'attachmentMultiple', singleReadOnly: true },
    body: { type: 'wysiwyg' },
    cases: linkToMany('Case', 'articles'),
  },
  knownFields: { bodyPlain: { type: 'text', readOnly: true } },
};

export const documentDefinition: EntityDefinition = {
  name: 'Document',
  pageFields: ['file', 'status', 'type', 'publishDate', 'expirationDate', 'description'],
  log: 'records',
  isObject: true,
  orderBy: 'createdAt',
  order: 'desc',
  fields: {
    name: { type: 'varchar', required: true },
    file: { type: 'file', required: true },
    status: {
      type: 'enum',
      options: ['Draft', 'Active', 'Canceled', 'Expired'],
      default: 'Active',
    },
    type: { type: 'enum', options: ['', 'Contract', 'NDA', 'EULA', 'License Agreement'] },
    publishDate: { type: 'date', required: true },
    expirationDate: { type: 'date' },
    description: { type: 'text' },
    accounts: linkToMany('Account', 'documents'),
    contacts: linkToMany('Contact', 'documents'),
    leads: linkToMany('Lead', 'documents'),
    opportunities: linkToMany('Opportunity', 'documents'),
  },
};
