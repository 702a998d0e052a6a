import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { MarkChange } from '../../../shared/domain/notifications/notification-marks.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { streamed } from '../../../shared/http/describe/error-lists.ts';
import { inQuery, type Part, refer } from '../../../shared/http/describe/part.ts';
import {
  count,
  flag,
  id,
  nullableText,
  objectOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { QueryContext, WritingContext } from '../context.ts';
import { badParameter, last, type Parameters, readParameters } from '../request/read-parameters.ts';
import type { QueryRoute } from '../request/read-reader.ts';
import { reportIgnoredForm } from '../request/report-ignored-selection.ts';
import { readStreamRequest } from '../stream/stream-routes.ts';
import {
  countUnread,
  MAX_COUNTED,
  type Notification,
  readNotifications,
} from './read-notifications.ts';

const path = '/api/v1/Notification';

/** Registers `GET Notification/action/notReadCount` (docs/reference/notifications.md). */
export function registerNotificationCount(server: FastifyInstance, context: QueryContext): void {
  server.get(`${path}/action/notReadCount`, notReadCount, async (request, reply) => {
    const actor = await readActor(context, request);
    return sendJson(reply, await countUnread(context, actor));
  });
}

/** Registers `GET Notification`, which also marks the notifications of the page as read. */
export function registerNotifications(server: FastifyInstance, context: WritingContext): void {
  server.get<QueryRoute>(path, notifications, async (request, reply) => {
    const actor = await readActor(context, request);
    const parameters = readParameters(request.query);
    const part = readStreamRequest(request.query, undefined, 'all');
    const onlyUnread = readOnlyUnread(parameters);
    reportIgnoredForm(reply, parameters);
    const { newlyRead, ...page } = await readNotifications(context, actor, { ...part, onlyUnread });
    // An administrator who views a user's notifications does not read them for the user.
    if (newlyRead !== undefined && request.impersonation === undefined) {
      const token = await markRead(context, request, { read: newlyRead });
      if (token !== undefined) void reply.header('X-Consistency-Token', token);
    }
    return sendJson(reply, page);
  });
}

function readOnlyUnread(parameters: Parameters): boolean {
  const value = last(parameters, 'onlyUnread') ?? 'false';
  if (value === 'true' || value === 'false') return value === 'true';
  throw badParameter("onlyUnread must be 'true' or 'false'.");
}

/** Returns undefined if the log cannot be written: the user can still read the notifications. */
async function markRead(
  { saveNotificationMarks }: WritingContext,
  request: FastifyRequest,
  change: MarkChange,
): Promise<string | undefined> {
  try {
    const { consistencyToken } = await saveNotificationMarks(request, change);
    return consistencyToken;
  } catch (error) {
    request.log.warn({ err: error }, 'notifications not marked as read');
    return undefined;
  }
}

const notification: Part = objectOf({
  id: { ...text, description: 'The id of the stream item.' },
  number: { ...count, description: 'Grows with time. Use it as `beforeNumber` to continue.' },
  type: { enum: ['MentionInPost', 'Note'] },
  read: { type: 'boolean', description: 'As before this request, which marks it as read.' },
  data: objectOf({ noteId: text }),
  noteData: refer('schemas', 'streamItem'),
  message: { type: 'null' },
  createdAt: { ...text, examples: ['2030-01-31 10:00:00'] },
  createdById: nullableText,
  createdByName: nullableText,
  userId: id,
  relatedType: { const: 'Note' },
  relatedId: text,
  relatedName: { type: 'null' },
  relatedParentType: nullableText,
  relatedParentId: nullableText,
  relatedParentName: nullableText,
  isFeatured: { ...flag, description: 'True if the change assigned the record to you.' },
  actionId: { type: 'null' },
  groupType: { type: 'null' },
  groupedCount: { type: 'null' },
  groupedUnreadCount: { type: 'null' },
} satisfies Record<keyof Notification, Part>);

const notReadCount = describeRoute({
  id: 'Notification_notReadCount',
  tag: 'Notifications',
  summary: 'Count your unread notifications',
  parameters: ['X-Consistency-Token'],
  answer: { type: 'integer', minimum: 0, maximum: MAX_COUNTED },
  errors: streamed,
});

const notifications = describeRoute({
  id: 'Notification_list',
  tag: 'Notifications',
  summary: 'List your notifications and mark them as read',
  description: 'Newest first, of the last 60 days.',
  parameters: [
    'offset',
    'maxSize',
    inQuery('beforeNumber', 'Limits the list to items older than the one with this number.', {
      schema: count,
    }),
    inQuery('after', 'Limits the list to items at least a second later than this time.', {
      schema: text,
    }),
    inQuery('onlyUnread', 'Lists only unread ones, and does not mark them as read.', {
      schema: flag,
    }),
    'X-Consistency-Token',
  ],
  schemas: { notification },
  answer: objectOf({
    total: { type: 'integer', description: '-1 if more items follow, -2 if not.' },
    list: { type: 'array', items: refer('schemas', 'notification') },
  }),
  headers: ['X-Consistency-Token'],
  errors: streamed,
});
