import reference from '../../../../../docs/reference/webhooks.md?raw';
import { usePageText } from '../../../language/page-text.ts';
import { Snippet } from '../../../parts/copy/snippet.tsx';

const languages = {
  typescript: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  java: 'Java',
} as const;

/** A program that verifies the signature of a request, in several languages. */
export function VerifySnippet() {
  const t = usePageText();
  return <Snippet label={t('webhooks.language')} languages={languages} write={exampleIn} />;
}

function exampleIn(language: keyof typeof languages): string {
  const [, example = ''] =
    new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(reference) ?? [];
  return example;
}
