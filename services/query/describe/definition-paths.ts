import { fieldTypes } from '../../../shared/domain/entity/attributes.ts';
import { templateNames } from '../../../shared/domain/entity/templates.ts';
import type { ErrorGroup } from './error-groups.ts';
import { operation } from './operation.ts';
import { type Part, refer } from './part.ts';

const tag = 'Custom types and fields';
const description = 'For administrators. It holds for the next request.';
const text = { type: 'string' };
const entityName = { ...text, pattern: '^[A-Z][A-Za-z0-9]{2,63}$', examples: ['Project'] };
const fieldName = { ...text, pattern: '^[a-z][A-Za-z0-9]{0,49}$', examples: ['score'] };
const scope = { name: 'scope', in: 'path', required: true, schema: text, example: 'Account' };
const name = { name: 'name', in: 'path', required: true, schema: text, example: 'score' };
const key = 'Idempotency-Key';

/** Entity types and fields of one's own (docs/reference/entities.md). */
export const definitionPaths: Readonly<Record<string, Part>> = {
  '/EntityManager/action/createEntity': {
    post: define('createEntity', 'Create an entity type', {
      required: ['name', 'type'],
      properties: { name: entityName, type: { enum: templateNames }, ...labels() },
    }),
  },
  '/EntityManager/action/updateEntity': {
    post: define('updateEntity', 'Change the labels of a custom entity type', {
      required: ['name'],
      properties: { name: entityName, ...labels() },
    }),
  },
  '/EntityManager/action/removeEntity': {
    post: define('removeEntity', 'Remove a custom entity type', {
      required: ['name'],
      properties: { name: entityName },
    }),
  },
  '/EntityManager/action/createLink': {
    post: define(
      'createLink',
      'Link two entity types',
      {
        required: ['entity', 'entityForeign', 'link', 'linkForeign', 'linkType'],
        properties: {
          entity: text,
          entityForeign: text,
          link: fieldName,
          linkForeign: fieldName,
          linkType: { enum: ['manyToOne', 'oneToMany', 'manyToMany'] },
        },
      },
      'defineField',
    ),
  },
  '/Admin/fieldManager/{scope}': {
    parameters: [scope],
    post: fieldOperation('createField', 'Create a field'),
  },
  '/Admin/fieldManager/{scope}/{name}': {
    parameters: [scope, name],
    get: operation({
      id: 'Admin_readField',
      tag,
      summary: 'Read the definition of a field',
      description: 'For administrators.',
      parameters: ['X-Consistency-Token'],
      answer: refer('schemas', 'fieldDefinition'),
      errors: 'readField',
    }),
    put: fieldOperation('putField', 'Change a custom field'),
    patch: fieldOperation('updateField', 'Change a custom field'),
    delete: operation({
      id: 'Admin_removeField',
      tag,
      summary: 'Remove a custom field',
      description,
      parameters: [key],
      answer: { const: true },
      headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
      errors: 'defineField',
    }),
  },
  '/Admin/rebuild': { post: nothing('rebuild') },
  '/Admin/clearCache': { post: nothing('clearCache') },
};

function define(
  action: string,
  summary: string,
  body: Part,
  errors: ErrorGroup = 'defineEntity',
): Part {
  return operation({
    id: `EntityManager_${action}`,
    tag,
    summary,
    description,
    parameters: [key],
    body: { type: 'object', ...body },
    answer:
      action === 'createEntity'
        ? { type: 'object', required: ['name'], properties: { name: text } }
        : { const: true },
    headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
    errors,
  });
}

function labels(): Part {
  return { labelSingular: text, labelPlural: text };
}

function fieldOperation(action: string, summary: string): Part {
  return operation({
    id: `Admin_${action}`,
    tag,
    summary,
    description,
    parameters: [key],
    body: refer('schemas', 'fieldDefinition'),
    answer: refer('schemas', 'fieldDefinition'),
    headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
    errors: 'defineField',
  });
}

function nothing(action: string): Part {
  return operation({
    id: `Admin_${action}`,
    tag,
    summary: 'Do nothing: definitions take effect by themselves',
    description: 'For administrators.',
    answer: { const: true },
    errors: 'administer',
  });
}

/** A field as administrators describe it, and as it is kept. */
export const fieldDefinitionSchema: Part = {
  type: 'object',
  properties: {
    name: fieldName,
    type: { ...text, enum: fieldTypes, description: 'Stays as it was created.' },
    label: text,
    required: { type: 'boolean' },
    readOnly: { type: 'boolean' },
    default: { type: ['string', 'number', 'boolean', 'null'] },
    maxLength: { type: 'integer', minimum: 1 },
    maxCount: { type: 'integer', minimum: 1 },
    maxFileSize: { type: 'integer', minimum: 1, description: 'MiB.' },
    accept: { type: 'array', items: { type: 'string' }, examples: [['image/*', '.pdf']] },
    maxItemLength: { type: 'integer', minimum: 1 },
    padLength: { type: 'integer', minimum: 1 },
    prefix: text,
    min: { type: 'number' },
    max: { type: 'number' },
    pattern: text,
    options: { type: 'array', items: text, maxItems: 1_000 },
    isCustom: { type: 'boolean', readOnly: true },
  },
  examples: [{ name: 'score', type: 'int', label: 'Score', min: 0 }],
};
