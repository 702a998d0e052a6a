import type { EntityModel } from '../../../shared/domain/entity/model/entity-model.ts';
import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { loginUserType } from '../../../shared/domain/login/auth-token.ts';
import { describeRoute, hasStream } from '../../../shared/http/describe/describe-route.ts';
import { listed, missing, streamed } from '../../../shared/http/describe/error-lists.ts';
import { type ParameterName, searchParameters } from '../../../shared/http/describe/parameters.ts';
import { inQuery, type Part, refer } from '../../../shared/http/describe/part.ts';
import {
  anything,
  count,
  flag,
  id,
  nullableText,
  objectOf,
  pageOf,
  recordsOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { postMarks } from '../openapi/entity-schemas.ts';

const byId = { type: 'object', additionalProperties: nullableText };

/** An item of a stream. */
const streamItem: Part = objectOf(
  {
    id,
    type: { enum: ['Post', 'Create', 'CreateRelated', 'Update', 'Assign', 'Relate', 'Unrelate'] },
    number: {
      type: 'integer',
      description: 'Grows with time. Use it as `beforeNumber` to continue from this item.',
    },
    post: nullableText,
    data: anything,
    createdAt: { ...text, examples: ['2030-01-31 10:00:00'] },
    createdById: nullableText,
    createdByName: nullableText,
    modifiedAt: { ...text, examples: ['2030-01-31 10:00:00'] },
    parentType: { ...nullableText, description: 'Null for posts to users and teams.' },
    parentId: nullableText,
    parentName: nullableText,
    relatedType: nullableText,
    relatedId: nullableText,
    relatedName: nullableText,
    attachmentsIds: { type: 'array', items: id },
    attachmentsNames: byId,
    attachmentsTypes: byId,
    isInternal: { type: 'boolean', description: 'True if the author marked the post as internal.' },
    targetType: {
      enum: ['self', 'all', 'teams', 'users'],
      description: 'The kind of addressees. Only posts without a parent have addressees.',
    },
    usersIds: { type: 'array', items: id },
    usersNames: byId,
    teamsIds: { type: 'array', items: id },
    teamsNames: byId,
    ...postMarks,
  },
  ['id', 'type', 'number', 'post', 'data', 'createdAt', 'parentType', 'parentId'],
);

const items = { type: 'array', items: refer('schemas', 'streamItem') };
const stream: Part = objectOf({
  total: {
    type: 'integer',
    minimum: -2,
    description: 'The number of items; if it was not counted, -1 if more items follow, -2 if not.',
  },
  list: items,
  pinnedList: items,
});

const filter = inQuery('filter', 'The kinds of items to include.', {
  schema: { enum: ['all', 'posts', 'updates'] },
});
const part: readonly (ParameterName | Part)[] = [
  'offset',
  'maxSize',
  inQuery('beforeNumber', 'Limits the stream to items older than the one with this number.', {
    schema: count,
  }),
  inQuery('after', 'Limits the stream to items at least a second later than this time.', {
    schema: text,
  }),
  inQuery('skipOwn', 'Omits changes by the reader.', { schema: flag }),
  'X-No-Total',
  'X-Consistency-Token',
];

export const ownStream = describeRoute({
  id: 'Stream',
  tag: 'Several records',
  summary: 'Read the stream of the records that you follow',
  parameters: [filter, ...part],
  schemas: { streamItem },
  answer: stream,
  errors: streamed,
});

export const globalStream = describeRoute({
  id: 'GlobalStream',
  tag: 'Several records',
  summary: 'Read the stream of all records that you may see',
  parameters: [filter, ...part],
  answer: stream,
  errors: [...streamed, 'access.denied'],
});

const errors = [...streamed, 'access.denied', 'entity.unknown', ...missing, 'stream.none'] as const;
const expand = { isFor: hasStream };
const ofRecordsAndUsers = {
  isFor: (model: EntityModel) => hasStream(model) || model.name === loginUserType,
};

export const recordStream = streamOf(
  { name: 'stream', summary: 'Read the stream of a record of {entity}', more: [filter] },
  ofRecordsAndUsers,
);
export const posts = streamOf(
  { name: 'posts', summary: 'Read the posts in the stream of a record of {entity}' },
  ofRecordsAndUsers,
);
export const updateStream = streamOf(
  { name: 'updateStream', summary: 'Read the changes of a record of {entity}' },
  expand,
);

interface StreamRoute {
  readonly name: string;
  readonly summary: string;
  readonly more?: readonly Part[];
}

function streamOf({ name, summary, more = [] }: StreamRoute, types: typeof expand) {
  return describeRoute({
    id: `{entity}_${name}`,
    tag: '{entity}',
    summary,
    parameters: ['id', ...more, ...part],
    answer: stream,
    errors,
    expand: types,
  });
}

export const streamAttachments = describeRoute({
  id: '{entity}_streamAttachments',
  tag: '{entity}',
  summary: 'List the files under the posts of a record of {entity}',
  parameters: ['id', ...searchParameters],
  answer: recordsOf(attachmentType),
  errors: [...listed, ...missing, 'stream.none'],
  expand: { ...expand, finds: attachmentType },
});

export const followers = describeRoute({
  id: '{entity}_followers',
  tag: '{entity}',
  summary: 'List the followers of a record of {entity}',
  parameters: ['id', 'offset', 'maxSize', 'X-Consistency-Token'],
  answer: pageOf({ type: 'object', properties: { id, name: nullableText } }),
  errors,
  expand,
});
