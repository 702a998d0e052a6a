import type { Actor } from '../../../shared/domain/access/actor.ts';
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

/** What everybody may know of the installation, and what those who are logged in may (api-facts 7.3). */
export function settingsFor(actor: Actor | undefined): Readonly<Record<string, unknown>> {
  if (actor === undefined) return publicSettings;
  return {
    ...publicSettings,
    version,
    currencyList: ['USD'],
    defaultCurrency: 'USD',
    baseCurrency: 'USD',
    currencyRates: {},
    recordsPerPage: 20,
    fiscalYearShift: 0,
    tabList: ['Account', 'Contact', 'Lead', 'Opportunity', 'Case', 'Task', 'Meeting', 'Call'],
    customPrefixDisabled: true,
  };
}
