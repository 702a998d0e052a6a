import {
  type EntityModel,
  isRestorable,
} from '../../../shared/domain/entity/model/entity-model.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import {
  boolFilterNames,
  primaryFilterNames,
  userTypeNames,
} from '../../../shared/search/where/named-filters.ts';
import { errorGroupOf } from './error-groups.ts';
import { type AnswerHeader, headerRefs } from './headers.ts';
import { noContent, operation } from './operation.ts';
import type { ParameterName } from './parameters.ts';
import { type Part, refer } from './part.ts';

/** The list and the records of an entity type. link-paths.ts describes its links. */
export function recordPaths(
  model: EntityModel,
  isWritable: boolean,
): Readonly<Record<string, Part>> {
  const { name } = model;
  return {
    [`/${name}`]: {
      get: list(model),
      ...(isWritable ? { post: create(model) } : {}),
    },
    [`/${name}/{id}`]: {
      parameters: [refer('parameters', 'id')],
      get: read(model),
      ...(isWritable ? { put: update(model, 'put'), patch: update(model, 'update') } : {}),
      ...(isWritable ? { delete: remove(model) } : {}),
    },
  };
}

/** Actions on the record that the body names. */
export function recordActionPaths({
  name,
  definition,
}: EntityModel): Readonly<Record<string, Part>> {
  const isCopied = definition.isObject && definition.log === 'records';
  return {
    ...(isRestorable(definition)
      ? { [`/${name}/action/restoreDeleted`]: { post: restore(name) } }
      : {}),
    ...(isCopied
      ? { [`/${name}/action/getDuplicateAttributes`]: { post: duplicateAttributes(name) } }
      : {}),
  };
}

const named: Part = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'string', minLength: 1 } },
};

function restore(name: string): Part {
  return operation({
    id: `restore${name}`,
    tag: name,
    summary: `Bring a deleted record of ${name} back`,
    description: 'For administrators.',
    parameters: ['If-Match', ...written],
    body: named,
    answer: { const: true },
    headers: ['ETag', ...writeHeaders],
    errors: errorGroupOf('restore', name),
    more: noContent,
  });
}

function duplicateAttributes(name: string): Part {
  return operation({
    id: `duplicateAttributesOf${name}`,
    tag: name,
    summary: `Ask what a copy of a record of ${name} could begin with`,
    body: named,
    answer: { type: 'object', additionalProperties: true },
    errors: 'duplicateAttributes',
  });
}

export function historyPath(model: EntityModel): Readonly<Record<string, Part>> {
  return {
    [`/${model.name}/{id}/history`]: {
      parameters: [refer('parameters', 'id')],
      get: history(model),
    },
  };
}

const searched: readonly ParameterName[] = [
  'attributeSelect',
  'select',
  'whereGroup',
  'where',
  'textFilter',
  'q',
  'orderBy',
  'order',
  'sortBy',
  'asc',
  'offset',
  'maxSize',
  'maxTextAttributeLength',
  'searchParams',
  'X-Consistency-Token',
];

/** The parameters of a list of this type. */
export function searchParameters(model: EntityModel): readonly (ParameterName | Part)[] {
  return [
    ...searched,
    {
      name: 'primaryFilter',
      in: 'query',
      description: 'One named filter.',
      schema: { type: 'string', enum: primaryFilterNames(model) },
    },
    {
      name: 'boolFilterList',
      in: 'query',
      description: 'Named filters, one of which has to hold: `boolFilterList[]=onlyMy`.',
      style: 'deepObject',
      explode: true,
      schema: { type: 'array', items: { type: 'string', enum: boolFilterNames(model) } },
    },
    ...(model.name === 'User' ? [userTypeParameter] : []),
  ];
}

const userTypeParameter: Part = {
  name: 'userType',
  in: 'query',
  description: 'Only users of this type: `internal` are the people who work with Annals.',
  schema: { type: 'string', enum: userTypeNames },
};

/** A page of records of a type. */
export function listSchema(name: string): Part {
  return {
    type: 'object',
    required: ['total', 'list'],
    properties: {
      total: { type: 'integer', minimum: -2, description: 'Of all pages.' },
      list: { type: 'array', items: refer('schemas', name), maxItems: 200 },
    },
  };
}

function list(model: EntityModel): Part {
  const { name } = model;
  return operation({
    id: `list${name}`,
    tag: name,
    summary: `List records of ${name}`,
    parameters: [...searchParameters(model), 'X-No-Total'],
    answer: listSchema(name),
    headers: ['Link'],
    errors: errorGroupOf('list', name),
  });
}

const written: readonly ParameterName[] = ['Idempotency-Key', 'Prefer'];
const writeHeaders: readonly AnswerHeader[] = [
  'Idempotency-Replayed',
  'Preference-Applied',
  'X-Consistency-Token',
];

function create(model: EntityModel): Part {
  const { name, definition } = model;
  return operation({
    id: `create${name}`,
    tag: name,
    summary: `Create a record of ${name}`,
    parameters: [
      ...(definition.checksDuplicates === true ? (['X-Skip-Duplicate-Check'] as const) : []),
      ...(definition.copiedLinks === undefined ? [] : (['X-Duplicate-Source-Id'] as const)),
      ...(name === attachmentType ? [] : (['X-Strict'] as const)),
      ...written,
    ],
    body: refer('schemas', `${name}_create`),
    answer: refer('schemas', name),
    status: name === 'Webhook' ? 201 : 200,
    headers: ['ETag', ...writeHeaders, 'X-Ignored-Attributes', 'X-Warning'],
    errors: errorGroupOf('create', name),
    more: noContent,
  });
}

function read({ name }: EntityModel): Part {
  return operation({
    id: `read${name}`,
    tag: name,
    summary: `Read a record of ${name}`,
    parameters: ['asOf', 'If-None-Match', 'X-Consistency-Token'],
    answer: refer('schemas', name),
    headers: ['ETag'],
    errors: errorGroupOf('read', name),
    more: { 304: { description: 'The client has this version.', headers: headerRefs(['ETag']) } },
  });
}

function update({ name }: EntityModel, verb: 'put' | 'update'): Part {
  return operation({
    id: `${verb}${name}`,
    tag: name,
    summary: `Change a record of ${name}`,
    description: 'PUT and PATCH do the same: what is not mentioned stays.',
    parameters: ['If-Match', 'X-Version-Number', 'X-Strict', ...written],
    body: refer('schemas', name),
    answer: refer('schemas', name),
    headers: [
      'ETag',
      ...writeHeaders,
      'X-Ignored-Attributes',
      'X-Record-Link-Updated',
      'X-Warning',
    ],
    errors: errorGroupOf('update', name),
    more: noContent,
  });
}

function remove({ name }: EntityModel): Part {
  return operation({
    id: `delete${name}`,
    tag: name,
    summary: `Delete a record of ${name}`,
    parameters: ['If-Match', ...written],
    answer: { const: true },
    headers: writeHeaders,
    errors: errorGroupOf('remove', name),
    more: noContent,
  });
}

function history({ name }: EntityModel): Part {
  return operation({
    id: `historyOf${name}`,
    tag: name,
    summary: `List the changes of a record of ${name}`,
    parameters: ['order', 'asc', 'offset', 'maxSize', 'X-Consistency-Token'],
    answer: {
      type: 'object',
      required: ['total', 'list'],
      properties: {
        total: { type: 'integer', minimum: 0 },
        list: { type: 'array', items: refer('schemas', 'historyEntry') },
      },
    },
    errors: 'history',
  });
}

/** An entry of a record's history. */
export const historyEntrySchema: Part = {
  type: 'object',
  required: ['version', 'type', 'at', 'byId', 'byName', 'changes'],
  properties: {
    version: { type: 'integer', minimum: 1 },
    type: { type: 'string', enum: ['created', 'updated', 'deleted', 'restored'] },
    at: { type: 'string', description: 'In UTC.', examples: ['2030-01-31 10:00:00'] },
    byId: { type: ['string', 'null'] },
    byName: { type: ['string', 'null'] },
    changes: {
      type: 'array',
      items: {
        type: 'object',
        required: ['attribute', 'before', 'after'],
        properties: { attribute: { type: 'string' }, before: {}, after: {} },
      },
    },
  },
};
