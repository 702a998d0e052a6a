import type { FastifyInstance } from 'fastify';
import { withConnection } from '../../../shared/db/pool.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import {
  anything,
  count,
  flag,
  nullableText,
  objectOf,
  pageOf,
  text,
} from '../../../shared/http/describe/schemas.ts';
import { describeSystemRoute, readOperator } from '../../../shared/http/system-route.ts';
import type { SystemContext } from '../context.ts';
import { listRejected, readRejected } from './read-rejected.ts';
import { toPlace } from './rejected-place.ts';

/** `GET System/rejectedEntries`: the rejected entries of the log. */
export function registerRejectedRoutes(server: FastifyInstance, context: SystemContext): void {
  const { observed } = context;

  server.get('/api/v1/System/rejectedEntries', listingRejected, async (request) => {
    await readOperator(context, request);
    return withConnection(observed.connect, listRejected);
  });

  server.get<{ Params: { readonly topic: string; partition: string; offset: string } }>(
    '/api/v1/System/rejectedEntries/:topic/:partition/:offset',
    readingRejected,
    async (request) => {
      await readOperator(context, request);
      const { topic, partition, offset } = request.params;
      const place = toPlace(`${topic}/${partition}/${offset}`);
      const found =
        place &&
        (await withConnection(observed.connect, (client) =>
          readRejected(client, observed.topics, place),
        ));
      if (found !== undefined) return found;
      throw new Refusal(
        'not_found',
        'entry.not_found',
        'The log does not have a rejected entry at this position.',
      );
    },
  );
}

const rejectedEntry = {
  id: { ...text, description: '`{topic}/{partition}/{offset}`' },
  topic: text,
  partition: count,
  offset: count,
  reason: text,
  bytes: count,
  entityType: {
    ...nullableText,
    description: 'The type of the record that is quarantined because of the entry.',
  },
  recordId: nullableText,
  acknowledged: { ...flag, description: 'Whether an administrator has discarded the entry.' },
};

const listingRejected = describeSystemRoute({
  id: 'System_rejectedEntries',
  summary: 'List the rejected entries of the log',
  answer: pageOf(objectOf(rejectedEntry)),
});

const readingRejected = describeSystemRoute({
  id: 'System_rejectedEntry',
  summary: 'Read a rejected entry of the log, without secrets',
  parameters: ['topic', 'partition', 'offset'].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: text,
  })),
  answer: objectOf(
    {
      ...rejectedEntry,
      kind: { enum: ['event', 'fence', 'unreadable'] },
      event: anything,
      fence: anything,
      text,
      hex: text,
    },
    [...Object.keys(rejectedEntry), 'kind'],
  ),
  errors: ['entry.not_found'],
});
