import { type EntityModel, isMergeable } from '../../../shared/domain/entity/model/entity-model.ts';
import { ids, massActionPaths, search, someObject } from './mass-action-paths.ts';
import { operation } from './operation.ts';
import { type Part, refer } from './part.ts';

const id = { type: 'string', minLength: 1 };

/** Actions over several records (docs/reference/actions.md). */
export function severalRecordsPaths(
  models: readonly EntityModel[],
): Readonly<Record<string, Part>> {
  const merges = models
    .filter(({ definition }) => isMergeable(definition))
    .map(({ name }) => [`/${name}/action/merge`, { post: mergeInto(name) }]);
  return {
    '/GlobalSearch': { get: globalSearch },
    '/CurrencyRate': { get: readRates, put: setRates },
    ...massActionPaths,
    ...exportPaths,
    '/Action': { post: recordAction },
    ...Object.fromEntries(merges),
  };
}

const rates: Part = {
  type: 'object',
  description: 'What one unit of each currency is worth in the default one.',
  additionalProperties: { type: 'number', exclusiveMinimum: 0 },
  examples: [{ EUR: 1.1 }],
};

const readRates: Part = operation({
  id: 'CurrencyRate_read',
  tag: 'Several records',
  summary: 'Read what currencies are worth',
  parameters: ['X-Consistency-Token'],
  answer: rates,
  errors: 'currencyRates',
});

const setRates: Part = operation({
  id: 'CurrencyRate_set',
  tag: 'Several records',
  summary: 'Set what currencies are worth',
  description: 'A currency exists from its first rate on. Those that are not given stay.',
  parameters: ['Idempotency-Key'],
  body: rates,
  answer: rates,
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  errors: 'setCurrencyRates',
});

const globalSearch: Part = operation({
  id: 'GlobalSearch',
  tag: 'Several records',
  summary: 'Search records of all types for a text',
  parameters: [
    { name: 'q', in: 'query', required: true, schema: { type: 'string', minLength: 1 } },
    'offset',
    'maxSize',
    'X-Consistency-Token',
  ],
  answer: {
    type: 'object',
    required: ['total', 'list'],
    properties: {
      total: { enum: [-1, -2], description: '-1: more follow.' },
      list: {
        type: 'array',
        items: {
          type: 'object',
          required: ['id', 'name', '_scope'],
          properties: {
            id,
            name: { type: ['string', 'null'] },
            _scope: { type: 'string', description: 'The entity type.' },
          },
        },
      },
    },
  },
  errors: 'globalSearch',
});

const exportPaths: Readonly<Record<string, Part>> = {
  '/Export': {
    post: operation({
      id: 'Export_start',
      tag: 'Several records',
      summary: 'Write records into a file',
      description: 'Read the file with `GET /Attachment/file/{id}`.',
      parameters: ['Idempotency-Key', 'X-Consistency-Token'],
      body: {
        type: 'object',
        description: 'Either ids or a search.',
        required: ['entityType'],
        properties: {
          entityType: id,
          format: { const: 'csv' },
          ids,
          ...search,
          attributeList: { type: 'array', items: { type: 'string' } },
          fieldList: { type: 'array', items: { type: 'string' } },
          idle: { type: 'boolean', description: 'True: the id is answered as `exportId`.' },
        },
      },
      answer: { type: 'object', properties: { id, exportId: id } },
      headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
      errors: 'export',
    }),
  },
  '/Export/{id}/status': {
    parameters: [refer('parameters', 'id')],
    get: operation({
      id: 'Export_status',
      tag: 'Several records',
      summary: 'Ask for the file of an export',
      parameters: ['X-Consistency-Token'],
      answer: {
        type: 'object',
        required: ['status', 'attachmentId'],
        properties: { status: { const: 'Success' }, attachmentId: id },
      },
      errors: 'massActionStatus',
    }),
  },
  '/Export/{id}/subscribe': {
    parameters: [refer('parameters', 'id')],
    post: operation({
      id: 'Export_subscribe',
      tag: 'Several records',
      summary: 'Do nothing',
      description: 'An export has ended when it is answered.',
      parameters: ['X-Consistency-Token'],
      answer: { const: true },
      errors: 'massActionStatus',
    }),
  },
};

const attributes = {
  ...someObject,
  description: 'Values that the target gets.',
};

const recordAction: Part = operation({
  id: 'Action_merge',
  tag: 'Several records',
  summary: 'Merge records into another one of their type, or convert amounts',
  parameters: ['Idempotency-Key', 'If-Match', 'Prefer', 'X-Version-Number'],
  body: {
    type: 'object',
    required: ['entityType', 'id', 'action'],
    properties: {
      entityType: id,
      id,
      action: { enum: ['merge', 'convertCurrency', 'lock', 'unlock'] },
      data: {
        type: 'object',
        properties: {
          sourceIdList: {
            ...ids,
            description: 'Of a merge.',
            minItems: 1,
            maxItems: 50,
          },
          attributes,
          targetCurrency: {
            type: 'string',
            description: 'What all amounts of the record shall be in.',
            examples: ['USD'],
          },
        },
      },
    },
  },
  answer: someObject,
  headers: ['ETag', 'Idempotency-Replayed', 'Preference-Applied', 'X-Consistency-Token'],
  errors: 'recordAction',
});

function mergeInto(entityType: string): Part {
  return operation({
    id: `${entityType}_merge`,
    tag: entityType,
    summary: `Merge records of ${entityType} into another one`,
    parameters: ['Idempotency-Key', 'If-Match', 'Prefer', 'X-Version-Number'],
    body: {
      type: 'object',
      required: ['targetId', 'sourceIds'],
      properties: { targetId: id, sourceIds: { ...ids, minItems: 1, maxItems: 50 }, attributes },
    },
    answer: refer('schemas', entityType),
    headers: ['ETag', 'Idempotency-Replayed', 'Preference-Applied', 'X-Consistency-Token'],
    errors: 'merge',
  });
}
