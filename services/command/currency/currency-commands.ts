import type { Append } from '../forwarding/append.ts';
import { defineCommand } from '../forwarding/define-command.ts';
import { asMapOf, asNumber, asText, bodyOf } from '../forwarding/read-body.ts';
import type { DeriveDeps } from '../records/input/derive-update.ts';
import { decideCurrency, decideRates } from './decide-currency.ts';

interface AmountOwner extends DeriveDeps {
  readonly append: Append;
  readonly now: () => number;
}

/** Converts the amounts of a record to one currency. */
export const convertCurrencyCommand = defineCommand({
  name: 'convert-currency',
  readBody: bodyOf<{ readonly targetCurrency: string }>({ targetCurrency: asText }),
  execute: (owner: AmountOwner, request) =>
    owner.append(request, { id: request.id, decide: decideCurrency(request, owner) }),
});

/** Sets exchange rates, by currency code. */
export const setRatesCommand = defineCommand({
  name: 'set-rates',
  readBody: (body) => asMapOf(asNumber)(body, 'body'),
  execute: ({ appendToDirectory }: { readonly appendToDirectory: Append }, request) =>
    appendToDirectory(request, { id: request.id, decide: decideRates(request.body) }),
});

export const currencyCommands = [convertCurrencyCommand, setRatesCommand] as const;
