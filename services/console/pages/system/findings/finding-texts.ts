import { useQuery } from '@tanstack/react-query';
import type { Finding } from '../../../api/system.ts';
import { type Language, useLanguage, useText } from '../../../language/language.tsx';
import { translator } from '../../../language/translate.ts';
import { partName } from './part-name.ts';

type Texts = Readonly<Record<string, string>>;

/**
 * The texts of findings by code. The server writes English for the command line: the English texts here name what the
 * console offers instead of commands, and omit names for which the console shows links.
 */
const loaders: Readonly<Record<Language, () => Promise<Texts>>> = {
  en: async () => (await import('./finding-texts.en.json', { with: { type: 'json' } })).default,
  de: async () => (await import('./finding-texts.de.json', { with: { type: 'json' } })).default,
};

interface FindingTexts {
  readonly says: string;
  readonly remedy: string | undefined;
  /** The language of `says` and `remedy`, for screen readers. */
  readonly language: { readonly says: Language; readonly remedy: Language };
}

/**
 * Returns a function that writes a finding in the user's language. Without a translation, it returns the text of the
 * server, which is in English.
 */
export function useFindingTexts(): (finding: Finding) => FindingTexts {
  const { language } = useLanguage();
  const { data = {} } = useQuery({
    queryKey: ['findingTexts', language],
    queryFn: loaders[language],
    staleTime: Number.POSITIVE_INFINITY,
  });
  const t = useText();
  return ({ parameters = {}, ...finding }) =>
    textsOf(
      { ...finding, parameters: { ...parameters, part: partName(finding.about, t) } },
      data,
      language,
    );
}

export function textsOf(finding: Finding, texts: Texts, language: Language): FindingTexts {
  const { code, says, remedy, parameters = {} } = finding;
  const translate = translator(texts, language);
  const remedyKey = `${code}.remedy`;
  return {
    says: code in texts ? translate(code, parameters) : says,
    remedy: remedy !== undefined && remedyKey in texts ? translate(remedyKey, parameters) : remedy,
    language: {
      says: code in texts ? language : 'en',
      remedy: remedyKey in texts ? language : 'en',
    },
  };
}
