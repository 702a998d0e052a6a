import type { FastifyInstance } from 'fastify';
import { describeRoute, emptyAnswer } from '../../../shared/http/describe/describe-route.ts';
import { read as errors } from '../../../shared/http/describe/error-lists.ts';
import { refer } from '../../../shared/http/describe/part.ts';
import { parseEntityTags, toEntityTag } from '../../../shared/http/entity-tag.ts';
import type { QueryContext } from '../context.ts';
import { readAsOf } from '../history/read-as-of.ts';
import { readPastRecord } from '../history/read-past-record.ts';
import { readParameters } from '../request/read-parameters.ts';
import { type RecordRoute, readRecordQuery } from '../request/read-reader.ts';
import { readSelect, reportIgnoredSelection } from '../request/report-ignored-selection.ts';

export function registerRecordRoutes(server: FastifyInstance, context: QueryContext): void {
  server.get<RecordRoute>('/api/v1/:entity/:id', read, async (request, reply) => {
    const query = await readRecordQuery(context, request);
    const asOf = readAsOf(request.query);
    const { record, version } =
      asOf === undefined
        ? await context.readRecord(query)
        : await readPastRecord(context, query, asOf);
    void reply.header('etag', toEntityTag(version));
    reportIgnoredSelection(reply, query, readSelect(readParameters(request.query)));
    if (isUnchanged(request.headers['if-none-match'], version)) return reply.code(304).send();
    return record;
  });
}

const read = describeRoute({
  id: 'read{entity}',
  tag: '{entity}',
  summary: 'Read a record of {entity}',
  parameters: ['id', 'asOf', 'If-None-Match', 'X-Consistency-Token'],
  answer: refer('schemas', '{entity}'),
  headers: ['ETag', 'X-Ignored-Attributes'],
  errors,
  more: { 304: emptyAnswer('The client already has this version.', ['ETag']) },
  expand: { but: { Webhook: { errors: [...errors, 'webhook.forbidden'] } } },
});

/**
 * Returns whether the client's If-None-Match contains this version of the record. Weak tags match too (RFC 9110,
 * 13.1.2). A malformed header is ignored, and the response is the record: unlike If-Match, the header does not guard a
 * change.
 */
function isUnchanged(ifNoneMatch: string | undefined, version: number): boolean {
  const tags = ifNoneMatch === undefined ? undefined : parseEntityTags(ifNoneMatch);
  return tags === 'any' || tags?.some((tag) => tag.version === version) === true;
}
