import { useQuery } from '@tanstack/react-query';
import { useLanguage } from '../language/language.tsx';
import { type Translate, translator } from '../language/translate.ts';
import english from '../messages/en/singleSignOn.json' with { type: 'json' };

export type SingleSignOnKey = keyof typeof english;

/** Returns the texts of single sign-on. They are loaded with the pages that show them, because most pages need none. */
export function useSingleSignOnText(): Translate<SingleSignOnKey> {
  const { language } = useLanguage();
  const { data = english } = useQuery({
    queryKey: ['singleSignOnTexts', language],
    queryFn: async () =>
      language === 'de'
        ? (await import('../messages/de/singleSignOn.json', { with: { type: 'json' } })).default
        : english,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return translator(data, language);
}
