import { Button, Code, CopyButton, Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useState } from 'react';
// The examples that are tested stand there.
import reference from '../../../../docs/reference/webhooks.md?raw';
import { useText } from '../../language/language.tsx';

const languages = {
  typescript: 'TypeScript',
  python: 'Python',
  php: 'PHP',
  go: 'Go',
  java: 'Java',
} as const;

/** How a receiver proves that a request is from here. */
export function VerifyTab() {
  const t = useText();
  const [language, setLanguage] = useState<string>('typescript');
  const [, snippet = ''] =
    new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(reference) ?? [];
  return (
    <Stack maw={860}>
      <Text size="sm">{t('webhooks.verifyText')}</Text>
      <Group align="flex-end">
        <NativeSelect
          label={t('webhooks.language')}
          value={language}
          onChange={({ currentTarget }) => setLanguage(currentTarget.value)}
          data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        />
        <CopyButton value={snippet}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {t(copied ? 'shell.copied' : 'shell.copy')}
            </Button>
          )}
        </CopyButton>
      </Group>
      <Code block>{snippet}</Code>
    </Stack>
  );
}
