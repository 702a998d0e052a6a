import type { DeriveDeps } from '../records/derive-update.ts';
import { defineAction } from '../routing/action.ts';
import type { Append } from '../routing/append.ts';
import { bodyOf, mapOf, number, text } from '../routing/read-body.ts';
import { decideCurrency, decideRates } from './decide-currency.ts';

interface AmountOwner extends DeriveDeps {
  readonly append: Append;
  readonly now: () => number;
}

/** Brings the amounts of a record into one currency. */
export const convertCurrencyAction = defineAction({
  name: 'convert-currency',
  readBody: bodyOf<{ readonly targetCurrency: string }>({ targetCurrency: text }),
  execute: (owner: AmountOwner, request) =>
    owner.append(request, {
      id: request.id,
      isCreation: false,
      decide: decideCurrency(request, owner),
    }),
});

/** The rates that are set, by the codes of their currencies. */
export const setRatesAction = defineAction({
  name: 'set-rates',
  readBody: (body) => mapOf(number)(body, 'body'),
  execute: ({ appendToDirectory }: { readonly appendToDirectory: Append }, request) =>
    appendToDirectory(request, {
      id: request.id,
      isCreation: false,
      decide: decideRates(request.body),
    }),
});

export const currencyActions = [convertCurrencyAction, setRatesAction] as const;
