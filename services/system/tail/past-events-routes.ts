import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  type EventPlace,
  type PastEventsQuery,
  placeBefore,
  readPastEvents,
} from '../../../shared/db/read-past-events.ts';
import { isStorableText } from '../../../shared/domain/field/types/text/read-text.ts';
import { searched } from '../../../shared/http/describe/error-lists.ts';
import { nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { describeSystemRoute, readOperator } from '../../../shared/http/system-route.ts';
import type { SystemContext } from '../context.ts';
import {
  badParameter,
  type Query,
  readMoment,
  readOnce,
  readSize,
  sizeSchema,
} from '../request/read-parameters.ts';
import { eventBody, toEventBody } from './event-body.ts';
import { filterParameters, readFilter } from './event-filter.ts';

/** `GET System/pastEvents`: earlier events of records, newest first. */
export function registerPastEvents(server: FastifyInstance, context: SystemContext): void {
  const { directory } = context;

  server.get<{ Querystring: Query }>('/api/v1/System/pastEvents', reading, async (request) => {
    const actor = await readOperator(context, request);
    const entityTypes = directory
      .entities()
      .filter(({ definition }) => definition.log !== 'directory')
      .map(({ name }) => name);
    const query = { ...readQuery(request, context.now()), entityTypes };
    const { events, next } = await readPastEvents(context.searchPool.of(actor), query);
    return {
      list: events.map(({ event, requestId }) => ({
        ...toEventBody(event, directory),
        requestId,
      })),
      next: next === undefined ? null : encodePlace(next),
      searchedTo: next === undefined ? null : new Date(next.atMs).toISOString(),
    };
  });
}

function readQuery(
  request: FastifyRequest<{ Querystring: Query }>,
  now: number,
): Omit<PastEventsQuery, 'entityTypes'> {
  const { query } = request;
  const filter = readFilter(query);
  for (const [name, value] of Object.entries(filter)) {
    // Postgres cannot store NUL in a text.
    if (!isStorableText(value ?? '')) throw badParameter(`${name} must not contain NUL.`);
  }
  const after = readOnce(query, 'after');
  const place =
    after === undefined ? placeBefore(readMoment(query, 'to') ?? now + 1) : readPlace(after);
  if (place === undefined) {
    throw badParameter('after must be the value of next from an earlier response.');
  }
  return {
    filter,
    from: readMoment(query, 'from') ?? 0,
    before: place,
    maxSize: readSize(query),
  };
}

const placeForm = /^(\d{1,15})(?:[.](\w{1,100})[.](\d{1,9})[.]([\x21-\x7e]{1,100}))?$/;

function readPlace(given: string): EventPlace | undefined {
  const [whole, at, entityType, version, recordId] = placeForm.exec(given) ?? [];
  if (whole === undefined) return undefined;
  const before = placeBefore(Number(at));
  if (recordId === undefined) return before;
  return { ...before, entityType: String(entityType), version: Number(version), recordId };
}

function encodePlace({ atMs, entityType, version, recordId }: EventPlace): string {
  return recordId === '' ? `${atMs}` : `${atMs}.${entityType}.${version}.${recordId}`;
}

const time = { ...text, examples: ['2030-01-31 10:00:00'] };

const pastEvent = {
  allOf: [
    eventBody,
    objectOf({
      requestId: {
        ...nullableText,
        description:
          'The trace id; null for a change without a request, and for one that an earlier version stored.',
      },
    }),
  ],
};

const reading = describeSystemRoute({
  id: 'System_pastEvents',
  summary: 'Read earlier events of records',
  description:
    'Newest first. For administrators. To get the next page, send `next` as `after` with the same filters. A page may have fewer events than requested, or none: a search that takes long returns what it has found back to `searchedTo`. Events of `System/events` appear once they are in Postgres.',
  parameters: [
    ...filterParameters,
    { name: 'from', in: 'query', schema: time },
    { name: 'to', in: 'query', schema: { ...time, description: 'Exclusive.' } },
    { name: 'after', in: 'query', schema: text },
    { name: 'maxSize', in: 'query', schema: sizeSchema },
  ],
  answer: objectOf({
    list: { type: 'array', items: pastEvent, maxItems: sizeSchema.maximum },
    next: nullableText,
    searchedTo: { ...nullableText, description: 'Null on the last page.' },
  }),
  errors: ['parameter.invalid', ...searched],
});
