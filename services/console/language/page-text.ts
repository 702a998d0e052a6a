import { useQuery } from '@tanstack/react-query';
import { useLanguage } from './language.tsx';
import { type Translate, translator } from './translate.ts';

type Texts<Key extends string> = Readonly<Record<Key, string>>;

/** Returns texts that are loaded with the pages that show them, because most pages need none of them. */
export function usePageText<Key extends string>(
  name: string,
  english: Texts<Key>,
  loadGerman: () => Promise<Texts<Key>>,
): Translate<Key> {
  const { language } = useLanguage();
  const { data = english } = useQuery({
    queryKey: ['pageTexts', name, language],
    queryFn: async () => (language === 'de' ? loadGerman() : english),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return translator(data, language);
}
