import type { FastifyInstance } from 'fastify';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { reading, searched } from '../../../shared/http/describe/error-lists.ts';
import { type Part, refer } from '../../../shared/http/describe/part.ts';
import { id, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import type { QueryContext } from '../context.ts';
import { MAX_DUE, readDueReminders } from './due-reminders.ts';

/** Registers the route that clients poll for due reminders (docs/reference/activities.md#reminders). */
export function registerReminders(server: FastifyInstance, context: QueryContext): void {
  server.get('/api/v1/PopupNotification/action/grouped', reminders, async (request) => {
    const actor = await readActor(context, request);
    return { event: await readDueReminders(context, actor, { type: 'Popup', now: Date.now() }) };
  });
}

const reminder: Part = objectOf({
  id: { ...id, description: 'Dismisses the reminder.' },
  data: objectOf({
    id: { ...id, description: 'The id of the activity.' },
    entityType: text,
    name: nullableText,
    dateField: {
      ...text,
      enum: ['dateStart', 'dateEnd'],
      description: 'The field of which the reminder reminds.',
    },
    attributes: {
      type: 'object',
      description: 'The field as a time or a whole day: `dateStart` and `dateStartDate`.',
      additionalProperties: nullableText,
    },
  }),
});

const reminders = describeRoute({
  id: 'PopupNotification_grouped',
  tag: 'Notifications',
  summary: 'List your due reminders',
  parameters: ['X-Consistency-Token'],
  schemas: { reminder },
  answer: objectOf({
    event: { type: 'array', items: refer('schemas', 'reminder'), maxItems: MAX_DUE },
  }),
  errors: [...reading, ...searched],
});
