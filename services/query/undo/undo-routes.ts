import type { FastifyInstance } from 'fastify';
import { type Actor, requireAdministrator } from '../../../shared/domain/access/actor.ts';
import { UNDO_DAYS, undoableSince } from '../../../shared/domain/record/undo-days.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { streamed } from '../../../shared/http/describe/error-lists.ts';
import { inQuery, type Part } from '../../../shared/http/describe/part.ts';
import { count, id, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import type { QueryContext } from '../context.ts';
import { readFixedPage } from '../request/read-page.ts';
import { badParameter, last, readParameters } from '../request/read-parameters.ts';
import type { QueryRoute } from '../request/read-reader.ts';
import { type RecentChanges, readRecentChanges } from './read-recent-changes.ts';

/** Reading a page costs as much as reading all pages before it. */
const MAX_LISTED = 1_000;

/** Registers the list of a user's changes that can be undone (docs/reference/undo.md). */
export function registerRecentChanges(server: FastifyInstance, context: QueryContext): void {
  server.get<QueryRoute>('/api/v1/Undo', recent, async (request, reply) => {
    const actor = await readActor(context, request);
    const parameters = readParameters(request.query);
    const { offset, maxSize } = readFixedPage(parameters, reply, 'desc');
    if (offset + maxSize > MAX_LISTED) {
      throw badParameter(`offset and maxSize must cover at most the newest ${MAX_LISTED} changes.`);
    }
    const userId = readUser(actor, last(parameters, 'userId'));
    const since = undoableSince(Date.now());
    const shared = { ...context, pool: context.searchPool.of(actor) };
    return readRecentChanges(shared, { actor, userId, since, offset, maxSize });
  });
}

function readUser(actor: Actor, userId: string | undefined): string {
  if (userId === undefined || userId === actor.id) return actor.id;
  requireAdministrator(actor);
  if (userId.includes('\0') || !userId.isWellFormed()) throw badParameter('userId is not an id.');
  return userId;
}

const item: Part = objectOf({
  changeId: { ...id, description: 'The name of the change for `POST Undo`.' },
  type: {
    enum: ['created', 'updated', 'deleted', 'restored', 'merged', 'massAction'],
  },
  at: { ...text, description: 'In UTC.', examples: ['2030-01-31 10:00:00'] },
  entityType: text,
  recordId: { ...nullableText, description: 'Null for a mass action.' },
  recordName: { ...nullableText, description: 'Null if the user may not read it.' },
  attributes: {
    type: 'array',
    items: text,
    description: 'The changed attributes that the user may see.',
  },
  action: { ...nullableText, description: 'The action of a mass action; `revert` is an undo.' },
  recordCount: { ...count, description: 'The number of changed records.' },
  undoneById: { ...nullableText, description: 'The mass action that undid the change.' },
} satisfies Record<keyof RecentChanges['list'][number], Part>);

const recent = describeRoute({
  id: 'Undo_list',
  tag: 'Several records',
  summary: 'List your recent changes',
  description: `The changes of the last ${UNDO_DAYS} days that can be undone, newest first: single changes of records, and mass actions that have ended.`,
  parameters: [
    'offset',
    'maxSize',
    inQuery('userId', 'The changes of another user, for administrators.', { schema: id }),
    'X-Consistency-Token',
  ],
  answer: objectOf({
    total: {
      type: 'integer',
      enum: [-1, -2],
      description: '-1 if more changes follow, or could follow; otherwise -2.',
    },
    list: { type: 'array', items: item, maxItems: 200 },
  }),
  errors: [...streamed, 'access.admin_only'],
});
