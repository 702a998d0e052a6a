import { usePageText } from '../language/page-text.ts';
import type { Translate } from '../language/translate.ts';
import english from '../messages/en/singleSignOn.json' with { type: 'json' };

export type SingleSignOnKey = keyof typeof english;

/** Returns the texts of single sign-on. */
export function useSingleSignOnText(): Translate<SingleSignOnKey> {
  return usePageText(
    'singleSignOn',
    english,
    async () =>
      (await import('../messages/de/singleSignOn.json', { with: { type: 'json' } })).default,
  );
}
