import { useSuspenseQuery } from '@tanstack/react-query';
import { messages as english } from '../messages/en.ts';
import { messages as englishPages } from '../messages/en-pages.ts';
import { useLanguage } from './language.tsx';
import { type PageTranslate, translator } from './translate.ts';

const inEnglish: PageTranslate = translator({ ...english, ...englishPages }, 'en');

/** Returns the texts of every page, and the texts that are loaded with the pages that call this. */
export function usePageText(): PageTranslate {
  const { language } = useLanguage();
  const { data } = useSuspenseQuery({
    queryKey: ['pageTexts', language],
    queryFn: async () => (language === 'de' ? loadGerman() : inEnglish),
    staleTime: Number.POSITIVE_INFINITY,
    ...(language === 'en' && { initialData: () => inEnglish }),
  });
  return data;
}

async function loadGerman(): Promise<PageTranslate> {
  const [german, pages] = await Promise.all([
    import('../messages/de.ts'),
    import('../messages/de-pages.ts'),
  ]);
  return translator({ ...german.messages, ...pages.messages }, 'de');
}
