import type { FastifyInstance } from 'fastify';
import { accessLevel, requireScope } from '../../../shared/domain/access/actor.ts';
import { currencyScope } from '../../../shared/domain/access/check-role.ts';
import { type FieldProblem, validationFailure } from '../../../shared/domain/errors.ts';
import {
  defaultCurrency,
  isCurrencyCode,
} from '../../../shared/domain/field/types/money/derive-currency.ts';
import {
  currencyRatesId,
  currencyRatesType,
  ratesIn,
} from '../../../shared/domain/input/currency-rates.ts';
import { printable } from '../../../shared/domain/printable.ts';
import { describeRoute } from '../../../shared/http/describe/describe-route.ts';
import { written } from '../../../shared/http/describe/error-lists.ts';
import { currencyRates } from '../../../shared/http/describe/schemas.ts';
import { sendJson } from '../../../shared/http/send-json.ts';
import type { CommandContext } from '../context.ts';
import { readCommand } from '../http/read-command.ts';
import { setWriteHeaders } from '../http/send-written.ts';
import { setRatesCommand } from './currency-commands.ts';

/** Amounts in a currency whose rate is outside these limits have to be stated in thousands. */
const MIN_RATE = 0.000_000_001;
const MAX_RATE = 1_000_000_000;
/** Maximum number of rates in one request. There are about 180 currencies. */
const MAX_CURRENCIES = 300;

/**
 * Registers the routes for currency rates (docs/reference/currencies.md). One record stores all rates, so a change is
 * one event.
 */
export function registerCurrencyRoutes(server: FastifyInstance, context: CommandContext): void {
  server.put('/api/v1/CurrencyRate', setRates, async (request, reply) => {
    const model = context.directory.entity(currencyRatesType);
    if (model === undefined) throw new Error('no entity type CurrencyRates');
    const input = { command: setRatesCommand, body: request.body, id: currencyRatesId, model };
    const command = await readCommand(context, request, input);
    const { actor, body } = command;
    const answer = await context.sender.sendPlanned(setRatesCommand, {
      ...command,
      plan() {
        requireScope(actor, currencyScope, 'edit');
        return readRates(body, ratesIn(context.directory));
      },
      conditions: {},
    });
    const isReadable = accessLevel(actor, currencyScope, 'read') !== 'no';
    const shown = isReadable ? answer.state.values['rates'] : withoutDefault(body);
    return sendJson(setWriteHeaders(reply, [answer]), shown);
  });
}

/** Reads the rates in a body. Omits the default currency, because its rate is always 1. */
function readRates(
  body: Readonly<Record<string, unknown>>,
  known: ReadonlyMap<string, number>,
): Readonly<Record<string, number>> {
  const entries = Object.entries(body);
  const [first, ...others] = entries.flatMap(([code, rate]) => problemOf(code, rate));
  if (first !== undefined) throw validationFailure('CurrencyRate', [first, ...others]);
  const given = withoutDefault(body);
  const all = new Set([...known.keys(), ...Object.keys(given)]);
  if (all.size > MAX_CURRENCIES) {
    const message = `There can be at most ${MAX_CURRENCIES} currencies.`;
    const parameters = { maxCount: MAX_CURRENCIES };
    throw validationFailure('CurrencyRate', [
      { field: 'rates', type: 'maxCount', parameters, message },
    ]);
  }
  return given;
}

function withoutDefault({
  [defaultCurrency]: _,
  ...others
}: Readonly<Record<string, unknown>>): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(others).map(([code, rate]) => [code, Number(rate)]));
}

function problemOf(code: string, rate: unknown): readonly FieldProblem[] {
  const field = printable(code);
  if (!isCurrencyCode(code)) {
    const message = `'${field}' is not a currency code of three capital letters.`;
    return [{ field, type: 'validCurrency', message }];
  }
  const isRate = typeof rate === 'number' && rate >= MIN_RATE && rate <= MAX_RATE;
  if (!isRate || (code === defaultCurrency && rate !== 1)) {
    const wanted = code === defaultCurrency ? '1' : `a number from 0.000000001 to ${MAX_RATE}`;
    return [{ field, type: 'valid', message: `The rate of ${field} must be ${wanted}.` }];
  }
  return [];
}

const setRates = describeRoute({
  id: 'CurrencyRate_set',
  tag: 'Several records',
  summary: 'Set exchange rates',
  description:
    'A currency exists from its first rate on. Rates that are not in the request stay unchanged.',
  parameters: ['Idempotency-Key'],
  body: currencyRates,
  answer: currencyRates,
  headers: ['Idempotency-Replayed', 'X-Consistency-Token'],
  errors: [...written, 'record.invalid'],
});
