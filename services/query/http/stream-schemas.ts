import { attachmentType } from '../../../shared/domain/field/types/file/file-parts.ts';
import { describeRoute, hasStream } from '../../../shared/http/describe/describe-route.ts';
import { listed, streamed } from '../../../shared/http/describe/error-lists.ts';
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
import { postMarks } from '../describe/entity-schemas.ts';

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
    parentType: text,
    parentId: id,
    parentName: nullableText,
    relatedType: nullableText,
    relatedId: nullableText,
    relatedName: nullableText,
    attachmentsIds: { type: 'array', items: id },
    attachmentsNames: byId,
    attachmentsTypes: byId,
    isInternal: { type: 'boolean', description: 'True if the author marked the post as internal.' },
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

const errors = [
  ...streamed,
  'access.denied',
  'entity.unknown',
  'record.not_found',
  'stream.none',
] as const;
const expand = { isFor: hasStream };

export const recordStream = streamOf('stream', 'Read the stream of a record of {entity}', [filter]);
export const posts = streamOf('posts', 'Read the posts under a record of {entity}');
export const updateStream = streamOf('updateStream', 'Read the changes of a record of {entity}');

function streamOf(name: string, summary: string, more: readonly Part[] = []) {
  return describeRoute({
    id: `{entity}_${name}`,
    tag: '{entity}',
    summary,
    parameters: ['id', ...more, ...part],
    answer: stream,
    errors,
    expand,
  });
}

export const streamAttachments = describeRoute({
  id: '{entity}_streamAttachments',
  tag: '{entity}',
  summary: 'List the files under the posts of a record of {entity}',
  parameters: ['id', ...searchParameters],
  answer: recordsOf(attachmentType),
  errors: [...listed, 'record.not_found', 'stream.none'],
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
