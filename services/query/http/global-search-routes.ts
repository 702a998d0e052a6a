import type { FastifyInstance } from 'fastify';
import { Refusal } from '../../../shared/domain/errors.ts';
import { type ReaderDeps, readActor } from '../../../shared/http/read-actor.ts';
import { searchEverywhere } from '../search/list/search-everywhere.ts';
import type { SearchDeps } from '../search/rows/finish-rows.ts';
import { readPage } from './read-page.ts';
import { last, readParameters } from './read-parameters.ts';

type GlobalSearchDeps = ReaderDeps &
  Pick<SearchDeps, 'searchPool' | 'directory' | 'findCommonTrigrams'>;

/** `GET GlobalSearch?q=` (docs/reference/search.md#in-all-types-at-once). */
export function registerGlobalSearch(server: FastifyInstance, deps: GlobalSearchDeps): void {
  server.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/api/v1/GlobalSearch',
    async (request) => {
      const actor = await readActor(deps, request);
      const parameters = readParameters(request.query);
      const text = last(parameters, 'q')?.trim() ?? '';
      if (text === '') throw new Refusal('invalid', 'parameter.invalid', "Parameter 'q' is empty.");
      const { offset, maxSize } = readPage(parameters);
      return searchEverywhere(deps, { actor, text, offset, maxSize });
    },
  );
}
