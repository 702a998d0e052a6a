import { useTypeLabel } from '../../api/metadata.ts';
import { type Language, useLanguage } from '../../language/language.tsx';

/** The API does not name internal types, which only the log shows. */
const internalTypes: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    CurrencyRates: 'Exchange rates',
    InstallationSettings: 'Settings',
    LeadOptIn: 'Web form to confirm',
    MassAction: 'Mass action',
    StreamPins: 'Pinned posts',
    StreamSubscription: 'Follow, star or reaction',
  },
  de: {
    CurrencyRates: 'Wechselkurse',
    InstallationSettings: 'Einstellungen',
    LeadOptIn: 'Unbestätigtes Webformular',
    MassAction: 'Massenänderung',
    StreamPins: 'Angeheftete Beiträge',
    StreamSubscription: 'Folgen, Favorit oder Reaktion',
  },
};

/** Returns a function that returns the label of an entity type, even of an internal one. */
export function useLoggedTypeLabel(): (type: string) => string {
  const { language } = useLanguage();
  const typeLabel = useTypeLabel();
  return (type) => internalTypes[language][type] ?? typeLabel(type);
}
