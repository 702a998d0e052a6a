import type { FastifyInstance } from 'fastify';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { listed, missing } from '../../../shared/http/describe/error-lists.ts';
import { searchParameters } from '../../../shared/http/describe/parameters.ts';
import { recordsOf } from '../../../shared/http/describe/schemas.ts';
import type { QueryContext } from '../context.ts';
import { readListRequest } from '../lists/read-list-request.ts';
import { searchRecords } from '../lists/search-records.ts';
import { hasPathsBelow, type RecordRoute, readRecordQuery } from '../request/read-reader.ts';
import { sendList } from '../request/send-list.ts';
import { openLink } from './open-link.ts';

type LinkRoute = RecordRoute & { readonly Params: { readonly link: string } };

export function registerLinkRoutes(server: FastifyInstance, context: QueryContext): void {
  server.get<LinkRoute>('/api/v1/:entity/:id/:link', linked, async (request, reply) => {
    const query = await readRecordQuery(context, request);
    // Linked lists always have a total.
    const page = { ...readListRequest(request.query, undefined), withTotal: true };
    const search = await openLink(context, request.params.link, query);
    const list = await searchRecords(context, { ...search, request: page });
    return sendList(reply, list, { ...search, ...page, hasLinks: true });
  });
}

const linked = describeRoute({
  id: 'list{entity}_{link}',
  tag: '{entity}',
  summary: 'List the records in the link {link} of a record of {entity}',
  parameters: ['id', ...searchParameters],
  answer: recordsOf('{target}'),
  headers: ['Link', 'X-Ignored-Attributes'],
  errors: [...listed, 'link.unknown', ...missing],
  expand: { isFor: hasPathsBelow, finds: '{target}' },
});
