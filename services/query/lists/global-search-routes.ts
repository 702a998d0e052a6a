import type { FastifyInstance } from 'fastify';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { streamed } from '../../../shared/http/describe/error-lists.ts';
import { id, nullableText, objectOf, text } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import { readPage } from '../request/read-page.ts';
import { badParameter, last, readParameters } from '../request/read-parameters.ts';
import type { QueryRoute, ReadDeps } from '../request/read-reader.ts';
import { reportIgnoredForm } from '../request/report-ignored-selection.ts';
import { searchEverywhere } from './search-everywhere.ts';

/** Registers `GET GlobalSearch?q=` (docs/reference/search.md#global-search). */
export function registerGlobalSearch(server: FastifyInstance, deps: ReadDeps): void {
  server.get<QueryRoute>('/api/v1/GlobalSearch', globalSearch, async (request, reply) => {
    const actor = await readActor(deps, request);
    const parameters = readParameters(request.query);
    const text = last(parameters, 'q')?.trim() ?? '';
    if (text === '') throw badParameter("Parameter 'q' is empty.");
    const { offset, maxSize } = readPage(parameters);
    reportIgnoredForm(reply, parameters);
    return searchEverywhere(deps, { actor, text, offset, maxSize });
  });
}

const globalSearch = describeRoute({
  id: 'GlobalSearch',
  tag: 'Several records',
  summary: 'Search records of all types for text',
  parameters: [
    { name: 'q', in: 'query', required: true, schema: id },
    'offset',
    'maxSize',
    'X-Consistency-Token',
  ],
  answer: objectOf({
    total: { enum: [-1, -2], description: '-1 if more records follow, -2 if not.' },
    list: {
      type: 'array',
      items: objectOf({
        id,
        name: nullableText,
        _scope: { ...text, description: 'The entity type.' },
      }),
    },
  }),
  errors: [...streamed, 'where.invalid'],
});
