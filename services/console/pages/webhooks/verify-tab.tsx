import { Stack, Text } from '@mantine/core';
// Tests run the examples in this document.
import reference from '../../../../docs/reference/webhooks.md?raw';
import { useText } from '../../language/language.tsx';
import { Snippet } from '../../parts/copy/snippet.tsx';

const languages = {
  typescript: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  java: 'Java',
} as const;

/** Explains how a receiver verifies the signature of a request. */
export function VerifyTab() {
  const t = useText();
  return (
    <Stack maw={860}>
      <Text size="sm">{t('webhooks.verifyText')}</Text>
      <Snippet label={t('webhooks.language')} languages={languages} write={exampleIn} />
    </Stack>
  );
}

function exampleIn(language: keyof typeof languages): string {
  const [, example = ''] =
    new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(reference) ?? [];
  return example;
}
