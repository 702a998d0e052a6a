import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { Directory } from '../../../shared/domain/directory/directory.ts';
import { Refusal } from '../../../shared/domain/errors.ts';
import type { UntilConsistent } from '../../../shared/http/until-consistent.ts';
import type { Queryable } from '../../../shared/search/run-statement.ts';
import { searchEverywhere } from '../search/search-everywhere.ts';
import { readPage } from './read-page.ts';
import { last, readParameters } from './read-parameters.ts';

interface GlobalSearchDeps {
  readonly searchPool: Queryable;
  readonly directory: Directory;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor>;
  readonly untilConsistent: UntilConsistent;
}

/** `GET GlobalSearch?q=` (api-facts 6.7): a text in all entity types at once. */
export function registerGlobalSearch(server: FastifyInstance, deps: GlobalSearchDeps): void {
  const { authenticate, untilConsistent } = deps;
  server.get<{ Querystring: Readonly<Record<string, unknown>> }>(
    '/api/v1/GlobalSearch',
    async (request) => {
      const actor = await authenticate(request);
      await untilConsistent(request.headers);
      const parameters = readParameters(request.query);
      const text = last(parameters, 'q')?.trim() ?? '';
      if (text === '') throw new Refusal('invalid', 'parameter.invalid', "Parameter 'q' is empty.");
      const { offset, maxSize } = readPage(parameters);
      return searchEverywhere(deps, { actor, text, offset, maxSize });
    },
  );
}
