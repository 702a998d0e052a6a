import { useText } from '../../../language/language.tsx';
import { usePageText } from '../../../language/page-text.ts';
import type { Translate } from '../../../language/translate.ts';
import english from '../../../messages/en/ledger.json' with { type: 'json' };
import type { MessageKey } from '../../../messages/en.ts';

type LedgerKey = keyof typeof english;

/** Returns the texts of ledgers and those of all pages. */
export function useLedgerText(): Translate<LedgerKey | MessageKey> {
  const t = useText();
  const own = usePageText(
    'ledger',
    english,
    async () =>
      (await import('../../../messages/de/ledger.json', { with: { type: 'json' } })).default,
  );
  return (key, values) => (isOwn(key) ? own(key, values) : t(key, values));
}

function isOwn(key: LedgerKey | MessageKey): key is LedgerKey {
  return key in english;
}
