import type { Actor } from '../../../shared/domain/access/actor.ts';
import type { CustomPrefix } from '../../../shared/domain/directory/custom-prefix.ts';
import type { PersonNameFormat } from '../../../shared/domain/field/types/contact/person-name.ts';
import { defaultCurrency } from '../../../shared/domain/field/types/money/derive-currency.ts';
import { type CurrencyRates, toRateBody } from '../../../shared/domain/input/currency-rates.ts';
import { version } from '../../../shared/runtime/version.ts';

const publicSettings = {
  applicationName: 'Annals',
  language: 'en_US',
  dateFormat: 'YYYY-MM-DD',
  timeFormat: 'HH:mm',
  timeZone: 'UTC',
  weekStart: 1,
  thousandSeparator: ',',
  decimalMark: '.',
};

interface InstallationSettings {
  readonly personNameFormat: PersonNameFormat | undefined;
  readonly currencies: CurrencyRates;
  readonly customPrefix: CustomPrefix;
  readonly definedAtSeconds: number;
}

/** Returns the public settings, and for an actor also the others (docs/reference/espocrm-compatibility.md#settings). */
export function settingsFor(
  actor: Actor | undefined,
  {
    currencies,
    customPrefix,
    definedAtSeconds: cacheTimestamp,
    personNameFormat = 'firstLast',
  }: InstallationSettings,
): Readonly<Record<string, unknown>> {
  if (actor === undefined) return { ...publicSettings, cacheTimestamp };
  return {
    ...publicSettings,
    cacheTimestamp,
    version,
    currencyList: [...currencies.keys()],
    defaultCurrency,
    baseCurrency: defaultCurrency,
    currencyRates: toRateBody(currencies),
    recordsPerPage: 20,
    fiscalYearShift: 0,
    personNameFormat,
    tabList: ['Account', 'Contact', 'Lead', 'Opportunity', 'Case', 'Task', 'Meeting', 'Call'],
    customPrefixDisabled: customPrefix !== 'always',
  };
}
