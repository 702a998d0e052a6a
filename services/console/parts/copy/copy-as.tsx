import { Button, Modal, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconCode } from '@tabler/icons-react';
import { useText } from '../../language/language.tsx';
import { type RequestLanguage, toProgram } from './request-program.ts';
import { Snippet } from './snippet.tsx';

const languages: Readonly<Record<RequestLanguage, string>> = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
};

/** Shows the API request behind the current page, for use in a program. */
export function CopyAs({ path }: { readonly path: string }) {
  const t = useText();
  const [isOpen, dialog] = useDisclosure();
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconCode size={16} aria-hidden="true" />}
        onClick={dialog.open}
      >
        {t('records.copyAs')}
      </Button>
      <Modal opened={isOpen} onClose={dialog.close} size="lg" title={t('records.copyAs')}>
        <Stack>
          <Text size="sm">{t('records.copyText')}</Text>
          <Snippet
            label={t('records.copyLanguage')}
            languages={languages}
            write={(language) => toProgram(`${location.origin}/api/v1${path}`, language)}
          />
        </Stack>
      </Modal>
    </>
  );
}
