import { appendToDirectory } from '../owner/append.ts';
import { defineChange, defineCommand } from '../owner/define-command.ts';
import { asListOf, asMapOf, asNumber, asObject, asText, optional } from '../owner/read-body.ts';
import { type CurrencyChange, decideCurrency, decideRates } from './decide-currency.ts';

/** Converts the amounts of a record to one currency. */
export const convertCurrencyCommand = defineChange({
  name: 'convert-currency',
  readBody: asObject<CurrencyChange>({
    targetCurrency: asText,
    fields: optional(asListOf(asText)),
  }),
  decide: decideCurrency,
});

/** Sets exchange rates, by currency code. */
export const setRatesCommand = defineCommand({
  name: 'set-rates',
  readBody: asMapOf<number>(asNumber),
  execute: (context, request) =>
    appendToDirectory(context, request, { id: request.id, decide: decideRates(request.body) }),
});

export const currencyCommands = [convertCurrencyCommand, setRatesCommand] as const;
