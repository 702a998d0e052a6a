import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { reactionTypes } from '../../../shared/domain/stream/reaction-types.ts';
import { operation } from './operation.ts';
import type { ParameterName } from './parameters.ts';
import { type Part, refer } from './part.ts';
import { listSchema, searchParameters } from './record-paths.ts';

const id = { type: 'string', minLength: 1 };
const nullableText = { type: ['string', 'null'] };
const byId = { type: 'object', additionalProperties: nullableText };

/** `/{Entity}/{id}/stream` and following, of each entity type that has a stream (docs/reference/stream.md). */
export function streamPaths(models: readonly EntityModel[]): Readonly<Record<string, Part>> {
  const attachments = models.find(({ name }) => name === attachmentType);
  const ofRecords = models
    .filter(({ definition }) => definition.hasStream === true)
    .map(({ name }) => ({ ...pathsOf(name), ...attachmentsPath(name, attachments) }));
  const paths = {
    '/Stream': { get: ownStream },
    '/GlobalStream': { get: globalStream },
    '/Note/{id}/pin': { parameters: [refer('parameters', 'id')], ...pinning },
    '/Note/{id}/myReactions/{type}': {
      parameters: [refer('parameters', 'id'), reactionType],
      ...reacting,
    },
  };
  return Object.assign(paths, ...ofRecords);
}

/** An item of a stream. */
export const streamItemSchema: Part = {
  type: 'object',
  required: ['id', 'type', 'number', 'post', 'data', 'createdAt', 'parentType', 'parentId'],
  properties: {
    id,
    type: { enum: ['Post', 'Create', 'CreateRelated', 'Update', 'Assign', 'Relate', 'Unrelate'] },
    number: { type: 'integer', description: 'Grows with time; `beforeNumber` goes on from it.' },
    post: nullableText,
    data: { type: 'object', additionalProperties: true },
    createdAt: { type: 'string', examples: ['2030-01-31 10:00:00'] },
    createdById: nullableText,
    createdByName: nullableText,
    modifiedAt: { type: 'string', examples: ['2030-01-31 10:00:00'] },
    parentType: { type: 'string' },
    parentId: id,
    parentName: nullableText,
    relatedType: nullableText,
    relatedId: nullableText,
    relatedName: nullableText,
    attachmentsIds: { type: 'array', items: id },
    attachmentsNames: byId,
    attachmentsTypes: byId,
    isPinned: { type: 'boolean' },
    reactionCounts: {
      type: 'object',
      additionalProperties: { type: 'integer', minimum: 1 },
      description: 'How many users react to the post, by type of reaction.',
    },
    myReactions: { type: 'array', items: { enum: reactionTypes } },
  },
};

const items = { type: 'array', items: refer('schemas', 'streamItem') };
const stream: Part = {
  type: 'object',
  required: ['total', 'list', 'pinnedList'],
  properties: {
    total: { type: 'integer', minimum: -2, description: '-1: more follow, -2: none do.' },
    list: items,
    pinnedList: items,
  },
};

const filter: Part = query('filter', 'What to show.', { enum: ['all', 'posts', 'updates'] });
const part: readonly (ParameterName | Part)[] = [
  'offset',
  'maxSize',
  query('beforeNumber', 'Items older than the one of this number.', {
    type: 'integer',
    minimum: 0,
  }),
  query('after', 'Items of a later second than this time.', { type: 'string' }),
  query('skipOwn', 'Without what the reader did.', { type: 'boolean' }),
  'X-No-Total',
  'X-Consistency-Token',
];

const ownStream: Part = operation({
  id: 'Stream',
  tag: 'Several records',
  summary: 'Read what happened to the records that one follows',
  parameters: [filter, ...part],
  answer: stream,
  errors: 'ownStream',
});

const globalStream: Part = operation({
  id: 'GlobalStream',
  tag: 'Several records',
  summary: 'Read what happened to all records whose stream one may see',
  parameters: [filter, ...part],
  answer: stream,
  errors: 'globalStream',
});

const reactionType: Part = {
  name: 'type',
  in: 'path',
  required: true,
  schema: { enum: reactionTypes },
};
const pinning: Part = {
  post: markNote({ id: 'postNote_pin', summary: 'Pin a post in its stream' }, 'pin'),
  delete: markNote({ id: 'deleteNote_pin', summary: 'No longer pin a post' }, 'pin'),
};
const reacting: Part = {
  post: markNote({ id: 'postNote_myReactions', summary: 'React to a post' }, 'react'),
  delete: markNote({ id: 'deleteNote_myReactions', summary: 'Take back a reaction' }, 'react'),
};

function markNote(
  sketch: { readonly id: string; readonly summary: string },
  errors: 'pin' | 'react',
): Part {
  return operation({
    ...sketch,
    tag: 'Note',
    parameters: ['Idempotency-Key'],
    answer: { const: true },
    headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
    errors,
  });
}

function pathsOf(entityType: string): Readonly<Record<string, Part>> {
  const at = `/${entityType}/{id}`;
  const parameters = [refer('parameters', 'id')];
  const read = (name: string, summary: string, more: readonly Part[] = []) => ({
    parameters,
    get: operation({
      id: `${entityType}_${name}`,
      tag: entityType,
      summary,
      parameters: [...more, ...part],
      answer: stream,
      errors: 'stream',
    }),
  });
  return {
    [`${at}/stream`]: read('stream', `Read the stream of a record of ${entityType}`, [filter]),
    [`${at}/posts`]: read('posts', `Read the posts under a record of ${entityType}`),
    [`${at}/updateStream`]: read('updateStream', `Read the changes of a record of ${entityType}`),
    [`${at}/subscription`]: { parameters, ...marks(entityType, 'subscription', 'follow') },
    [`${at}/starSubscription`]: { parameters, ...marks(entityType, 'starSubscription', 'star') },
    [`${at}/followers`]: { parameters, ...followers(entityType) },
  };
}

function attachmentsPath(
  entityType: string,
  attachments: EntityModel | undefined,
): Readonly<Record<string, Part>> {
  if (attachments === undefined) return {};
  return {
    [`/${entityType}/{id}/streamAttachments`]: {
      parameters: [refer('parameters', 'id')],
      get: operation({
        id: `${entityType}_streamAttachments`,
        tag: entityType,
        summary: `List the files under the posts of a record of ${entityType}`,
        parameters: searchParameters(attachments),
        answer: listSchema(attachmentType),
        errors: 'streamAttachments',
      }),
    },
  };
}

function marks(entityType: string, name: string, verb: 'follow' | 'star'): Part {
  const mark = (method: string, summary: string) =>
    operation({
      id: `${method}${entityType}_${name}`,
      tag: entityType,
      summary,
      parameters: ['Idempotency-Key'],
      answer: { const: true },
      headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
      errors: verb,
    });
  const capital = verb === 'follow' ? 'Follow' : 'Star';
  return {
    put: mark('put', `${capital} a record of ${entityType}`),
    delete: mark('delete', `No longer ${verb} a record of ${entityType}`),
  };
}

function followers(entityType: string): Part {
  const change = (method: string, summary: string) =>
    operation({
      id: `${method}${entityType}_followers`,
      tag: entityType,
      summary,
      parameters: ['Idempotency-Key'],
      body: refer('schemas', 'linkedIds'),
      isBodyOptional: true,
      answer: { const: true },
      headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
      errors: 'followers',
    });
  return {
    get: operation({
      id: `${entityType}_followers`,
      tag: entityType,
      summary: `List who follows a record of ${entityType}`,
      parameters: ['offset', 'maxSize', 'X-Consistency-Token'],
      answer: {
        type: 'object',
        required: ['total', 'list'],
        properties: {
          total: { type: 'integer', minimum: 0 },
          list: {
            type: 'array',
            items: { type: 'object', properties: { id, name: nullableText } },
          },
        },
      },
      errors: 'stream',
    }),
    post: change('post', `Let users follow a record of ${entityType}`),
    delete: change('delete', `Let users no longer follow a record of ${entityType}`),
  };
}

function query(name: string, description: string, schema: Part): Part {
  return { name, in: 'query', description, schema };
}
