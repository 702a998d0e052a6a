import type { FastifyInstance, FastifyReply } from 'fastify';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { listed, missing } from '../../../shared/http/describe/error-lists.ts';
import { searchParameters } from '../../../shared/http/describe/parameters.ts';
import { recordsOf } from '../../../shared/http/describe/schemas.ts';
import type { QueryContext } from '../context.ts';
import { readAsOf } from '../history/read-as-of.ts';
import { readListRequest } from '../lists/read-list-request.ts';
import { searchRecords } from '../lists/search-records.ts';
import { readFixedPage, refuseParameters } from '../request/read-page.ts';
import { type Query, readParameters } from '../request/read-parameters.ts';
import { hasPathsBelow, type RecordRoute, readRecordQuery } from '../request/read-reader.ts';
import { sendList } from '../request/send-list.ts';
import type { Page } from '../rows/page.ts';
import { openLink } from './open-link.ts';
import { readPastLinks } from './read-past-links.ts';

type LinkRoute = RecordRoute & { readonly Params: { readonly link: string } };

export function registerLinkRoutes(server: FastifyInstance, context: QueryContext): void {
  server.get<LinkRoute>('/api/v1/:entity/:id/:link', linked, async (request, reply) => {
    const query = await readRecordQuery(context, request);
    const asOf = readAsOf(request.query);
    if (asOf !== undefined) {
      const page = readPastPage(request.query, reply);
      const { linkedWith, ...found } = await openLink(context, request.params.link, query);
      const { link } = linkedWith;
      return readPastLinks(context, { ...found, holder: query, link, asOf, page });
    }
    // Linked lists always have a total.
    const page = { ...readListRequest(request.query, undefined), withTotal: true };
    const search = await openLink(context, request.params.link, query);
    const list = await searchRecords(context, { ...search, request: page });
    return sendList(reply, list, { ...search, ...page, hasLinks: true });
  });
}

/** Reads the page of a list as of a time, whose order is fixed. */
function readPastPage({ asOf: _, ...others }: Query, reply: FastifyReply): Page {
  const parameters = readParameters(others);
  refuseParameters(parameters, ['order', 'asc']);
  return readFixedPage(parameters, reply);
}

const linked = describeRoute({
  id: 'list{entity}_{link}',
  tag: '{entity}',
  summary: 'List the records in the link {link} of a record of {entity}',
  parameters: ['id', 'asOf', ...searchParameters],
  answer: recordsOf('{target}'),
  headers: ['Link', 'X-Ignored-Attributes'],
  errors: [...listed, 'link.unknown', 'link.too_many', 'parameter.unsupported', ...missing],
  expand: { isFor: hasPathsBelow, finds: '{target}' },
});
