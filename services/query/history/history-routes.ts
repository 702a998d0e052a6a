import type { FastifyInstance } from 'fastify';
import {
  isRestoration,
  type RecordEvent,
  type RecordEventType,
} from '../../../shared/domain/record/record-event.ts';
import { formatDateTime } from '../../../shared/domain/value/date-time.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { read } from '../../../shared/http/describe/error-lists.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import {
  administrator,
  nullableText,
  objectOf,
  pageOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import type { QueryContext } from '../context.ts';
import { readFixedPage } from '../request/read-page.ts';
import { readParameters } from '../request/read-parameters.ts';
import { hasPathsBelow, type RecordRoute, readRecordQuery } from '../request/read-reader.ts';
import type { SortedPage } from '../rows/page.ts';
import { type RecordQuery, readVersion } from '../rows/require-readable.ts';
import { type EventView, eventViewOf, shownChanges } from './past-values.ts';
import { readEvents } from './read-events.ts';

export function registerHistory(server: FastifyInstance, context: QueryContext): void {
  server.get<RecordRoute>('/api/v1/:entity/:id/history', history, async (request, reply) => {
    const query = await readRecordQuery(context, request);
    return readHistory(context, query, readFixedPage(readParameters(request.query), reply, 'desc'));
  });
}

/**
 * Returns the history of a record, for users who may read the record now. The history covers the attributes that a read
 * shows, except secrets. `desc` lists the newest version first. A page may have fewer than `maxSize` entries if they
 * are large; the next page starts after the last entry of this one.
 */
async function readHistory(context: QueryContext, query: RecordQuery, page: SortedPage) {
  const total = await readVersion(context, query);
  const from = page.direction === 'asc' ? 'oldest' : 'newest';
  // Large histories compete with searches, not with single reads.
  const shared = { ...context, pool: context.searchPool.of(query.actor) };
  const events = await readEvents(shared, query, { ...versionsOf(page, total), from });
  const view = eventViewOf(context.directory, query);
  const list = events.map((event) => toHistoryEntry(event, view));
  return { total, list: page.direction === 'asc' ? list : list.toReversed() };
}

/** Versions run from 1 to the current one without gaps, so a page is a range of versions. */
function versionsOf({ offset, maxSize, direction }: SortedPage, latest: number) {
  if (direction === 'asc') {
    return { first: offset + 1, last: Math.min(offset + maxSize, latest) };
  }
  const last = latest - offset;
  return { first: Math.max(last - maxSize + 1, 1), last };
}

const historyEntry: Part = objectOf(
  {
    version: { type: 'integer', minimum: 1 },
    type: { type: 'string', enum: ['created', 'updated', 'deleted', 'restored'] },
    at: { type: 'string', description: 'In UTC.', examples: ['2030-01-31 10:00:00'] },
    byId: nullableText,
    byName: nullableText,
    ...administrator,
    changes: {
      type: 'array',
      items: objectOf({ attribute: text, before: {}, after: {} }),
    },
  },
  ['version', 'type', 'at', 'byId', 'byName', 'changes'],
);

const history = describeRoute({
  id: 'historyOf{entity}',
  tag: '{entity}',
  summary: 'List the changes of a record of {entity}',
  parameters: ['id', 'order', 'asc', 'offset', 'maxSize', 'X-Consistency-Token'],
  schemas: { historyEntry },
  answer: pageOf(refer('schemas', 'historyEntry')),
  errors: [...read, 'list.too_large', 'parameter.unsupported'],
  expand: { isFor: hasPathsBelow },
});

const types: Readonly<Record<RecordEventType, string>> = {
  Created: 'created',
  Updated: 'updated',
  Deleted: 'deleted',
};

/**
 * Returns one entry in a record's history, which describes one version. The user is null if hidden from the reader. The
 * entry also names an administrator who acted as this user. The values have the form that single reads return.
 */
export function toHistoryEntry(event: RecordEvent, view: EventView) {
  const byId = view.madeBy(event);
  const { administratorId } = event;
  return {
    version: event.version,
    type: isRestoration(event) ? 'restored' : types[event.type],
    at: formatDateTime(event.occurredAt),
    byId,
    byName: byId === null ? null : view.userName(byId),
    ...(byId !== null &&
      administratorId !== undefined && {
        administratorId,
        administratorName: view.userName(administratorId),
      }),
    changes: shownChanges(event, view).map(({ attribute, before, after }) => ({
      attribute: attribute.name,
      before: event.type === 'Created' ? null : before,
      after,
    })),
  };
}
