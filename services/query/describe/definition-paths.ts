import { linkTypes } from '../../../shared/domain/entity/definition/link-types.ts';
import { templateNames } from '../../../shared/domain/entity/stock/templates.ts';
import { fieldTypeNames } from '../../../shared/domain/field/field-types.ts';
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
const changeSummary = 'Change a custom field, or label, options, default and required of another';
const typeList = { type: 'array', items: text, maxItems: 100 };
const linkBody = {
  required: ['entity', 'link', 'linkType'],
  properties: {
    entity: text,
    entityForeign: { ...text, description: 'Wanted but for `childrenToParent`.' },
    link: fieldName,
    linkForeign: fieldName,
    linkType: { enum: linkTypes },
    label: text,
    labelForeign: text,
    parentEntityTypeList: {
      ...typeList,
      description: '`childrenToParent`: the types that a parent may have.',
    },
    foreignLinkEntityTypeList: {
      ...typeList,
      description: '`childrenToParent`: those of them that list their children.',
    },
  },
};

/** Custom entity types and fields (docs/reference/definitions.md). */
export const definitionPaths: Readonly<Record<string, Part>> = {
  '/EntityManager/action/createEntity': {
    post: define('createEntity', 'Create an entity type', {
      required: ['name', 'type'],
      properties: { name: entityName, type: { enum: templateNames }, ...traits() },
    }),
  },
  '/EntityManager/action/updateEntity': {
    post: define('updateEntity', 'Change what a custom entity type is like', {
      required: ['name'],
      properties: { name: entityName, ...traits() },
    }),
  },
  '/EntityManager/action/removeEntity': {
    post: define('removeEntity', 'Remove a custom entity type', {
      required: ['name'],
      properties: { name: entityName },
    }),
  },
  '/EntityManager/action/createLink': {
    post: define('createLink', 'Link two entity types', linkBody, 'defineField'),
  },
  '/EntityManager/action/updateLink': {
    post: define(
      'updateLink',
      'Change the labels of a custom link',
      {
        required: ['entity', 'link'],
        properties: { entity: text, link: fieldName, label: text, labelForeign: text },
      },
      'defineField',
    ),
  },
  '/EntityManager/action/removeLink': {
    post: define(
      'removeLink',
      'Remove a custom link from both sides',
      { required: ['entity', 'link'], properties: { entity: text, link: fieldName } },
      'defineField',
    ),
  },
  '/FieldManager/action/resetToDefault': {
    post: operation({
      id: 'FieldManager_resetToDefault',
      tag,
      summary: 'Take back what was said of a field that Annals ships',
      description,
      parameters: [key],
      body: {
        type: 'object',
        required: ['scope', 'name'],
        properties: { scope: text, name: text },
        examples: [{ scope: 'Lead', name: 'source' }],
      },
      answer: refer('schemas', 'fieldDefinition'),
      errors: 'defineField',
    }),
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
    put: fieldOperation('putField', changeSummary),
    patch: fieldOperation('updateField', changeSummary),
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

function traits(): Part {
  return {
    labelSingular: { ...text, maxLength: 100 },
    labelPlural: { ...text, maxLength: 100 },
    stream: { type: 'boolean' },
    optimisticConcurrencyControl: {
      type: 'boolean',
      description: 'Records carry `versionNumber`.',
    },
    sortBy: { ...text, description: 'A field; `createdAt` if there is none.' },
    sortDirection: { enum: ['asc', 'desc'] },
    textFilterFields: { type: 'array', items: text, description: 'Looked at by searches by text.' },
  };
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

/** A field as administrators define it, and as it is stored. */
export const fieldDefinitionSchema: Part = {
  type: 'object',
  properties: {
    name: fieldName,
    type: { ...text, enum: fieldTypeNames, description: 'Stays as it was created.' },
    label: { ...text, maxLength: 250 },
    tooltip: { type: ['boolean', 'string'], maxLength: 1_000, description: 'For clients.' },
    audited: { type: 'boolean', description: 'For clients.' },
    required: { type: 'boolean' },
    readOnly: { type: 'boolean' },
    default: { type: ['string', 'number', 'boolean', 'array', 'null'], items: text },
    maxLength: { type: 'integer', minimum: 1 },
    maxCount: { type: 'integer', minimum: 1 },
    maxFileSize: { type: 'integer', minimum: 1, description: 'MiB.' },
    accept: { type: 'array', items: { type: 'string' }, examples: [['image/*', '.pdf']] },
    maxItemLength: { type: 'integer', minimum: 1 },
    padLength: { type: 'integer', minimum: 1 },
    prefix: text,
    nextNumber: {
      type: 'integer',
      minimum: 1,
      maximum: 100_000_000,
      description: '`autoincrement`, `number`: new records get no lower one.',
    },
    min: { type: 'number' },
    max: { type: 'number' },
    pattern: text,
    options: { type: 'array', items: text, maxItems: 1_000 },
    allowCustomOptions: { type: 'boolean', description: 'Lists of texts take others too.' },
    typeList: { type: 'array', items: text, description: '`phone`: the first one is the default.' },
    link: { ...text, description: '`foreign`: the link to follow.' },
    field: { ...text, description: '`foreign`: the field to show from its other side.' },
    isCustom: { type: 'boolean', readOnly: true },
  },
  examples: [{ name: 'score', type: 'int', label: 'Score', min: 0 }],
};
