import type { FastifyInstance } from 'fastify';
import { requireScope } from '../../../shared/domain/access/actor.ts';
import { currencyScope } from '../../../shared/domain/access/check-role.ts';
import { ratesIn, toRateBody } from '../../../shared/domain/input/currency-rates.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { reading } from '../../../shared/http/describe/error-lists.ts';
import { currencyRates } from '../../../shared/http/describe/schemas.ts';
import { readActor } from '../../../shared/http/read-actor.ts';
import type { ReadDeps } from './request/read-reader.ts';

/** `GET CurrencyRate` (docs/reference/currencies.md): the rates of all currencies but the default one. */
export function registerCurrencyRates(server: FastifyInstance, deps: ReadDeps): void {
  server.get('/api/v1/CurrencyRate', readRates, async (request) => {
    const actor = await readActor(deps, request);
    requireScope(actor, currencyScope, 'read');
    return toRateBody(ratesIn(deps.directory));
  });
}

const readRates = describeRoute({
  id: 'CurrencyRate_read',
  tag: 'Several records',
  summary: 'Read what currencies are worth',
  parameters: ['X-Consistency-Token'],
  answer: currencyRates,
  errors: [...reading, 'access.denied'],
});
