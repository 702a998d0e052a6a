import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import { preferencesType, toPreferences } from '../../../shared/domain/preferences/preferences.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { ownWork, reading } from '../../../shared/http/describe/error-lists.ts';
import { anything, id, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { QueryContext } from '../context.ts';
import { badParameter, last, readParameters } from '../request/read-parameters.ts';
import type { IdRoute, QueryRoute } from '../request/read-reader.ts';
import { noSuchRecord } from '../rows/require-readable.ts';
import { sharedViewsFor } from './shared-views.ts';

/** Registers `GET Preferences/{id}`, for the user with this id and for administrators (docs/reference/preferences.md). */
export function registerPreferenceReads(server: FastifyInstance, context: QueryContext): void {
  const { directory } = context;
  server.get<IdRoute>('/api/v1/Preferences/:id', readPreferences, async (request, reply) => {
    const actor = await readActor(context, request);
    const { id } = request.params;
    if (actor.type !== 'admin' && actor.id !== id) {
      throw new Refusal('forbidden', 'access.denied', 'You can only read your own preferences.');
    }
    const user = directory.record('User', id);
    if (user === undefined || user.deleted) throw noSuchRecord(id);
    return sendJson(reply, toPreferences(user, directory.record(preferencesType, id)));
  });

  server.get<QueryRoute>(
    '/api/v1/Preferences/action/sharedViews',
    readSharedViews,
    async (request, reply) => {
      const actor = await readActor(context, request);
      const entityType = last(readParameters(request.query), 'entityType');
      if (entityType === undefined) throw badParameter("'entityType' is missing.");
      return sendJson(reply, { list: sharedViewsFor(actor, entityType, directory) });
    },
  );
}

const readPreferences = describeRoute({
  id: 'Preferences_read',
  tag: 'Preferences',
  summary: 'Read the preferences of a user',
  description:
    'Stored values, and defaults for all others. Administrators can read the preferences of other users.',
  parameters: ['id', 'X-Consistency-Token'],
  answer: anything,
  errors: ownWork,
});

const readSharedViews = describeRoute({
  id: 'Preferences_sharedViews',
  tag: 'Preferences',
  summary: 'Read the views that other users share with your teams',
  description: 'At most 200 views of lists, by name.',
  parameters: [
    { name: 'entityType', in: 'query', required: true, schema: id },
    'X-Consistency-Token',
  ],
  answer: objectOf(
    {
      list: {
        type: 'array',
        items: objectOf({ name: text, search: anything, ownerId: id, ownerName: text }, [
          'name',
          'search',
          'ownerId',
          'ownerName',
        ]),
      },
    },
    ['list'],
  ),
  errors: [...reading, 'parameter.invalid'],
});
