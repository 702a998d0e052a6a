import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  decideMarks,
  type MarkChange,
  type NumberRange,
  notificationMarksType,
} from '../../../shared/domain/notifications/notification-marks.ts';
import { isReminderId } from '../../../shared/domain/notifications/reminder-id.ts';
import { recordNotFound } from '../../../shared/domain/record/decide.ts';
import { numberAt } from '../../../shared/domain/stream/stream-number.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { written } from '../../../shared/http/describe/error-lists.ts';
import { id, objectOf } from '../../../shared/http/describe/schemas.ts';
import { requireObject, requireText } from '../../../shared/http/require-object.ts';
import type { SaveNotificationMarks } from '../../../shared/http/save-notification-marks.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import type { Command, CommandAnswer } from '../owner/command.ts';
import { defineChange } from '../owner/define-command.ts';
import { asListOf, asNumber, asObject, asText, optional } from '../owner/read-body.ts';

/** Changes the marks of the requesting user. The id of the command is the user's id. */
export const markNotificationsCommand = defineChange({
  name: 'mark-notifications',
  readBody: asObject<{ read?: readonly number[]; removedId?: string; dismissedId?: string }>({
    read: optional(asListOf(asNumber)),
    removedId: optional(asText),
    dismissedId: optional(asText),
  }),
  entityType: notificationMarksType,
  decide(state, { body: { read, ...change } }, { now }) {
    const [first = 0, last = 0] = read ?? [];
    const range: NumberRange = [first, last];
    return decideMarks(state, { ...change, ...(read === undefined ? {} : { read: range }) }, now);
  },
});

type Params = { readonly id: string };

/** Registers the routes that mark and remove notifications and reminders (docs/reference/notifications.md). */
export function registerNotificationMarks(server: FastifyInstance, context: CommandContext): void {
  server.post('/api/v1/Notification/action/markAllRead', markAllRead, async (request, reply) => {
    const command = await readMarking(context, request, {});
    const answer = await mark(context, command, { read: [0, numberAt(context.now())] });
    return sendJson(setWriteHeaders(reply, [answer]), true);
  });

  server.delete<{ Params: Params }>('/api/v1/Notification/:id', remove, async (request, reply) => {
    const { id: removedId } = request.params;
    const command = await readMarking(context, request, { removedId });
    if (!idPattern.test(removedId)) throw recordNotFound(removedId);
    const answer = await mark(context, command, { removedId });
    return sendJson(setWriteHeaders(reply, [answer]), true);
  });

  server.post(
    '/api/v1/Activities/action/removePopupNotification',
    dismiss,
    async (request, reply) => {
      const dismissedId = requireText(requireObject(request.body), 'id');
      const command = await readMarking(context, request, { dismissedId });
      // As in EspoCRM, clients may dismiss a reminder that does not exist.
      if (!isReminderId(dismissedId)) return sendJson(reply, true);
      const answer = await mark(context, command, { dismissedId });
      return sendJson(setWriteHeaders(reply, [answer]), true);
    },
  );
}

/** The id of a stream item: that of a record, mostly with a version. */
const idPattern = /^[\w.-]{1,120}$/;

/** Stores what the requesting user has read, for the query service. */
export async function saveNotificationMarks(
  context: CommandContext,
  ...[request, change]: Parameters<SaveNotificationMarks>
): Promise<CommandAnswer> {
  const command = await readMarking(context, request, {});
  return mark(context, { ...command, commandId: null, commandHash: null }, change);
}

/** Reads a command. `body` is what the hash for the Idempotency-Key includes. */
async function readMarking(
  context: CommandContext,
  request: FastifyRequest,
  body: MarkChange,
): Promise<Command> {
  return readCommand(context, request, { command: markNotificationsCommand, body, entity: 'User' });
}

async function mark(
  { sender }: CommandContext,
  command: Command,
  body: MarkChange,
): Promise<CommandAnswer> {
  const { id } = command.actor;
  return sender.send(markNotificationsCommand, { ...command, id, conditions: {}, body });
}

const headers = ['Idempotency-Replayed', 'X-Consistency-Token'] as const;

const markAllRead = describeRoute({
  id: 'Notification_markAllRead',
  tag: 'Notifications',
  summary: 'Mark all your notifications as read',
  parameters: ['Idempotency-Key'],
  answer: { const: true },
  headers,
  errors: written,
});

const remove = describeRoute({
  id: 'Notification_remove',
  tag: 'Notifications',
  summary: 'Remove one of your notifications',
  parameters: ['id', 'Idempotency-Key'],
  answer: { const: true },
  headers,
  errors: [...written, 'record.not_found'],
});

const dismiss = describeRoute({
  id: 'PopupNotification_dismiss',
  tag: 'Notifications',
  summary: 'Dismiss a reminder',
  description: 'The reminder of `PopupNotification/action/grouped` with this id.',
  parameters: ['Idempotency-Key'],
  body: objectOf({ id }),
  answer: { const: true },
  headers,
  errors: [...written, 'body.value_missing'],
});
