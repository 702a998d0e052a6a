import type { FastifyInstance } from 'fastify';
import { UNDO_DAYS } from '../../../shared/domain/record/undo-days.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { streamed } from '../../../shared/http/describe/error-lists.ts';
import { inQuery, type Part } from '../../../shared/http/describe/part.ts';
import { id, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import type { QueryContext } from '../context.ts';
import { readFixedPage } from '../request/read-page.ts';
import { badParameter, last, type Parameters, readParameters } from '../request/read-parameters.ts';
import type { QueryRoute } from '../request/read-reader.ts';
import { type DeletedRecord, readDeleted } from './read-deleted.ts';

/** Reading a page costs as much as reading all pages before it. */
const MAX_LISTED = 1_000;

/** Registers the list of deleted records that the user may restore (docs/reference/undo.md#deleted-records). */
export function registerDeleted(server: FastifyInstance, context: QueryContext): void {
  server.get<QueryRoute>('/api/v1/Undo/deleted', deleted, async (request, reply) => {
    const actor = await readActor(context, request);
    const parameters = readParameters(request.query);
    const { offset, maxSize } = readFixedPage(parameters, reply, 'desc');
    if (offset + maxSize > MAX_LISTED) {
      throw badParameter(
        `offset and maxSize must cover at most the latest ${MAX_LISTED} deletions.`,
      );
    }
    const entityType = readName(parameters, 'entityType');
    const recordId = readName(parameters, 'recordId');
    return readDeleted(context, { actor, entityType, recordId, offset, maxSize, now: Date.now() });
  });
}

function readName(parameters: Parameters, name: string): string | undefined {
  const value = last(parameters, name);
  if (value === undefined) return undefined;
  if (value.includes('\0') || !value.isWellFormed())
    throw badParameter(`${name} is not valid text.`);
  return value;
}

const item: Part = objectOf({
  entityType: text,
  recordId: id,
  recordName: { ...nullableText, description: 'Null if the user may not read it.' },
  at: {
    ...text,
    description: 'The time of the deletion, in UTC.',
    examples: ['2030-01-31 10:00:00'],
  },
  deletedById: nullableText,
  deletedByName: nullableText,
} satisfies Record<keyof DeletedRecord, Part>);

const deleted = describeRoute({
  id: 'Undo_deleted',
  tag: 'Several records',
  summary: 'List deleted records',
  description: `The deleted records of all types that the user may restore, the latest deletion first: for administrators all of them, for other users their own deletions of the last ${UNDO_DAYS} days.`,
  parameters: [
    'offset',
    'maxSize',
    inQuery('entityType', 'Limits the list to one entity type.', { schema: id }),
    inQuery('recordId', 'Limits the list to one record.', { schema: id }),
    'X-Consistency-Token',
  ],
  answer: objectOf({
    total: { enum: [-1, -2], description: '-1 if more records follow, -2 if not.' },
    list: { type: 'array', items: item, maxItems: 200 },
  }),
  errors: [...streamed],
});
