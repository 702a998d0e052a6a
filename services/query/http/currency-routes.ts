import type { FastifyInstance } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import { currencyScope } from '../../../shared/domain/access/check-role.ts';
import { ratesIn, toRateBody } from '../../../shared/domain/input/currency-rates.ts';
import type { SearchDeps } from '../search/rows/finish-rows.ts';
import type { RecordReads } from './stream-routes.ts';

/** `GET CurrencyRate` (docs/reference/currencies.md): the rates of all currencies but the default one. */
export function registerCurrencyRates(
  server: FastifyInstance,
  { directory }: Pick<SearchDeps, 'directory'>,
  { readActor }: RecordReads,
): void {
  server.get('/api/v1/CurrencyRate', async (request) => {
    const actor = await readActor(request);
    requireScope(actor, currencyScope, 'read');
    return toRateBody(ratesIn(directory));
  });
}
