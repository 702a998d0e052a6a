import { Button, Code, CopyButton, Group, Modal, NativeSelect, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCode } from '@tabler/icons-react';
import { useState } from 'react';
import { useText } from '../language/language.tsx';
import { type RequestLanguage, toProgram } from './request-program.ts';

const languages: Readonly<Record<RequestLanguage, string>> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
};

/** What is on the screen, as a request that a program can send. */
export function CopyAs({ path }: { readonly path: string }) {
  const t = useText();
  const [isOpen, dialog] = useDisclosure();
  const [language, setLanguage] = useState<RequestLanguage>('curl');
  const program = toProgram(`${location.origin}/api/v1${path}`, language);
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCode size={16} aria-hidden="true" />}
        onClick={dialog.open}
      >
        {t('records.copyAs')}
      </Button>
      <Modal
        opened={isOpen}
        onClose={dialog.close}
        size="lg"
        title={t('records.copyAs')}
        closeButtonProps={{ 'aria-label': t('shell.close') }}
      >
        <Stack>
          <Text size="sm">{t('records.copyText')}</Text>
          <Group align="flex-end">
            <NativeSelect
              label={t('records.copyLanguage')}
              value={language}
              onChange={({ currentTarget }) => setLanguage(currentTarget.value as RequestLanguage)}
              data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
            />
            <CopyButton value={program}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {t(copied ? 'shell.copied' : 'shell.copy')}
                </Button>
              )}
            </CopyButton>
          </Group>
          <Code block>{program}</Code>
        </Stack>
      </Modal>
    </>
  );
}
