import { linkTypes } from '../../../shared/domain/entity/definition/entity-definition.ts';
import { templateNames } from '../../../shared/domain/entity/stock/templates.ts';
import { fieldTypeNames } from '../../../shared/domain/field/field-types.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { reading, withBody, written } from '../../../shared/http/describe/error-lists.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { anything, flag, objectOf, text } from '../../../shared/http/describe/schemas.ts';

const tag = 'Custom types and fields';
const entityName = { ...text, pattern: '^[A-Z][A-Za-z0-9]{2,63}$', examples: ['Project'] };
const fieldName = { ...text, pattern: '^[a-z][A-Za-z0-9]{0,49}$', examples: ['score'] };
const scope = { name: 'scope', in: 'path', required: true, schema: text, example: 'Account' };
const name = { name: 'name', in: 'path', required: true, schema: text, example: 'score' };
const field = refer('schemas', 'fieldDefinition');

const errorsOfEntity = [
  ...written,
  'access.admin_only',
  'entity.full',
  'entity.name',
  'field.invalid',
] as const;
const errorsOfField = [
  ...written,
  'access.admin_only',
  'entity.full',
  'field.invalid',
  'field.exists',
  'field.name_reserved',
  'field.unknown',
] as const;

/** The access levels for each action on the entity type, by role id. */
const access: Part = {
  type: 'object',
  additionalProperties: anything,
  examples: [{ 'role-full-access': { create: 'yes', read: 'all', edit: 'all', delete: 'own' } }],
};

const defined = {
  tag,
  description: 'For administrators. Takes effect with the next request.',
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  answer: { const: true },
} as const;

/** The actions of the entity manager, by name. */
export const defining = {
  createEntity: define('createEntity', 'Create an entity type', {
    description:
      'For administrators. Takes effect with the next request. Other users need a role that grants access to the type.',
    body: objectOf(
      {
        name: entityName,
        type: { enum: templateNames },
        access: {
          ...access,
          description: 'Roles that will grant access to the type, by id. Default: none.',
        },
        ...traits(),
      },
      ['name', 'type'],
    ),
    answer: objectOf({
      name: text,
      access: { ...access, description: 'The levels of all roles that mention the type.' },
    }),
    errors: [...errorsOfEntity, 'role.invalid'],
  }),
  updateEntity: define('updateEntity', 'Change a custom entity type', {
    body: objectOf({ name: entityName, ...traits() }, ['name']),
  }),
  removeEntity: define('removeEntity', 'Remove a custom entity type', {
    body: objectOf({ name: entityName }),
  }),
  createLink: define('createLink', 'Link two entity types', {
    body: linkBody(),
    errors: errorsOfField,
  }),
  updateLink: define('updateLink', 'Change the labels of a custom link', {
    body: objectOf({ entity: text, link: fieldName, label: text, labelForeign: text }, [
      'entity',
      'link',
    ]),
    errors: errorsOfField,
  }),
  removeLink: define('removeLink', 'Remove a custom link from both sides', {
    body: objectOf({ entity: text, link: fieldName }),
    errors: errorsOfField,
  }),
};

function define(
  action: string,
  summary: string,
  details: Partial<Parameters<typeof describeRoute>[0]>,
) {
  return describeRoute({
    ...defined,
    id: `EntityManager_${action}`,
    summary,
    parameters: ['Idempotency-Key'],
    errors: errorsOfEntity,
    ...details,
  });
}

function linkBody(): Part {
  const typeList = { type: 'array', items: text, maxItems: 100 };
  return objectOf(
    {
      entity: text,
      entityForeign: { ...text, description: 'Required, except for `childrenToParent`.' },
      link: fieldName,
      linkForeign: fieldName,
      linkType: { enum: linkTypes },
      label: text,
      labelForeign: text,
      parentEntityTypeList: {
        ...typeList,
        description: '`childrenToParent`: the entity types that a parent may have.',
      },
      foreignLinkEntityTypeList: {
        ...typeList,
        description: '`childrenToParent`: the parent types that have a link to their children.',
      },
    },
    ['entity', 'link', 'linkType'],
  );
}

function traits(): Part {
  return {
    labelSingular: { ...text, maxLength: 100 },
    labelPlural: { ...text, maxLength: 100 },
    stream: flag,
    optimisticConcurrencyControl: { ...flag, description: 'Records carry `versionNumber`.' },
    sortBy: { ...text, description: 'Name of a field. Default: `createdAt`.' },
    sortDirection: { enum: ['asc', 'desc'] },
    textFilterFields: {
      type: 'array',
      items: text,
      description: 'The fields that text searches look at.',
    },
  };
}

/** A field definition, as requested and as stored. */
const fieldDefinition: Part = {
  type: 'object',
  properties: {
    name: fieldName,
    type: { ...text, enum: fieldTypeNames, description: 'Cannot be changed.' },
    label: { ...text, maxLength: 250 },
    tooltip: { type: ['boolean', 'string'], maxLength: 1_000, description: 'For clients.' },
    audited: { type: 'boolean', description: 'For clients.' },
    required: { type: 'boolean' },
    readOnly: { type: 'boolean' },
    readOnlyAfterCreate: { type: 'boolean', description: 'Updates ignore it.' },
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
      description: '`autoincrement`, `number`: the lowest number for new records.',
    },
    min: { type: 'number' },
    max: { type: 'number' },
    pattern: text,
    options: { type: 'array', items: text, maxItems: 1_000 },
    allowCustomOptions: {
      type: 'boolean',
      description: 'Lists of texts also accept other values.',
    },
    typeList: { type: 'array', items: text, description: '`phone`: the first one is the default.' },
    link: { ...text, description: '`foreign`: the link to follow.' },
    field: { ...text, description: '`foreign`: the field of the linked record to show.' },
    isCustom: { type: 'boolean', readOnly: true },
  },
  examples: [{ name: 'score', type: 'int', label: 'Score', min: 0 }],
};

const definedField = { ...defined, errors: errorsOfField };

export const createField = describeRoute({
  ...definedField,
  id: 'Admin_createField',
  summary: 'Create a field',
  parameters: [scope, 'Idempotency-Key'],
  body: field,
  schemas: { fieldDefinition },
  answer: field,
});

export const readField = describeRoute({
  id: 'Admin_readField',
  tag,
  summary: 'Read the definition of a field',
  description: 'For administrators.',
  parameters: [scope, name, 'X-Consistency-Token'],
  answer: field,
  errors: [...reading, 'access.admin_only', 'field.unknown'],
});

export function updateField(action: 'putField' | 'updateField') {
  return describeRoute({
    ...definedField,
    id: `Admin_${action}`,
    summary:
      'Change a custom field, or `label`, `options`, `default` and `required` of a shipped field',
    parameters: [scope, name, 'Idempotency-Key'],
    body: field,
    answer: field,
  });
}

export const removeField = describeRoute({
  ...definedField,
  id: 'Admin_removeField',
  summary: 'Remove a custom field',
  parameters: [scope, name, 'Idempotency-Key'],
});

export const resetField = describeRoute({
  ...definedField,
  id: 'FieldManager_resetToDefault',
  summary: 'Reset a shipped field to its default definition',
  parameters: ['Idempotency-Key'],
  body: {
    ...objectOf({ scope: text, name: text }),
    examples: [{ scope: 'Lead', name: 'source' }],
  },
  answer: field,
});

export function doNothing(action: string) {
  return describeRoute({
    id: `Admin_${action}`,
    tag,
    summary: 'Do nothing: definitions take effect automatically',
    description: 'For administrators.',
    answer: { const: true },
    errors: [...withBody, 'access.admin_only'],
  });
}
