import { useQuery } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useMemo, useState } from 'react';
import { messages as english, type MessageKey } from '../messages/en.ts';
import { type Translate, translator } from './translate.ts';

export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;

interface Chosen {
  readonly language: Language;
  readonly choose: (language: Language) => void;
  readonly t: Translate<MessageKey>;
}

const storageKey = 'annals-language';
const Context = createContext<Chosen | undefined>(undefined);

/**
 * Provides texts in the user's chosen language, by default the browser's. Texts are in English until the language is
 * loaded.
 */
export function LanguageProvider({ children }: { readonly children: ReactNode }) {
  const [language, choose] = useState(initialLanguage);
  const { data: loaded } = useQuery({
    queryKey: ['messages', language],
    queryFn: async () =>
      language === 'de' ? (await import('../messages/de.ts')).messages : english,
    initialData: language === 'en' ? english : undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  useEffect(() => {
    document.documentElement.lang = language;
    localStorage.setItem(storageKey, language);
  }, [language]);
  const chosen = useMemo(
    () => ({ language, choose, t: translator(loaded ?? english, language) }),
    [language, loaded],
  );
  return <Context.Provider value={chosen}>{children}</Context.Provider>;
}

export function useLanguage(): Chosen {
  const chosen = useContext(Context);
  if (chosen === undefined) throw new Error('useLanguage must be used inside a LanguageProvider');
  return chosen;
}

/** Returns the translation function. */
export function useText(): Translate<MessageKey> {
  return useLanguage().t;
}

function initialLanguage(): Language {
  const preferred = localStorage.getItem(storageKey) ?? navigator.language.slice(0, 2);
  return preferred in languages ? (preferred as Language) : 'en';
}
